import { topicOf } from '@heliograph/metrics';
import { schemaErrors } from '../../common/yaml/schema-errors.ts';
import {
  fieldOf,
  type Path,
  type SourcePosition,
  type YamlIssue,
  YamlSource,
} from '../../common/yaml/source.ts';
import { RANGES } from '../modbus/numbers.ts';
import { isWideNumber, widthOf } from './compiled-profile.ts';
import { type Condition, DriverProfile, type ProfileReading, type ProfileSetting } from './profile-schema.ts';
import { termOf } from './terms.ts';

const LAST_REGISTER = 0xffff;
const LAST_CONTENT = 0xffff;

/** One mistake in a profile. */
export interface ProfileMistake extends SourcePosition {
  /** Such as `readings[3].unit`; empty for what is about the whole file. */
  readonly field: string;
  /** Reads on after the field's name. */
  readonly message: string;
}

export type ReadProfile =
  | { readonly profile: DriverProfile }
  | { readonly mistakes: readonly ProfileMistake[] };

/** Reads a profile: the result is the profile, or every mistake in it by line. */
export function readProfile(text: string): ReadProfile {
  const source = new YamlSource(text);
  if (source.yamlErrors.length > 0)
    return { mistakes: source.yamlErrors.map((flaw) => ({ ...flaw, field: '' })) };
  const broken = schemaErrors(DriverProfile, source.value ?? {});
  // Rules between values can only be checked where each value is sound.
  const issues = broken.length > 0 ? broken : issuesOf(source.value as DriverProfile);
  if (issues.length === 0) return { profile: source.value as DriverProfile };
  const mistakes = issues.map((issue) => ({
    ...source.positionOf(issue),
    field: fieldOf(issue.path),
    message: issue.message,
  }));
  return { mistakes: mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

function issuesOf({
  identity,
  readings,
  settings = [],
  serial_number: serialNumber,
  sources,
}: DriverProfile): readonly YamlIssue[] {
  const names = [...readings, ...settings].map(({ name }) => name);
  const places = [
    ...readings.map((place, at) => ({ place, path: ['readings', at] })),
    ...settings.map((place, at) => ({ place, path: ['settings', at] })),
  ];
  return [
    ...identity.flatMap((condition, at) => conditionIssues(condition, ['identity', at])),
    ...readings.flatMap((reading, at) => readingIssues(reading, ['readings', at], readings.slice(0, at))),
    ...settings.flatMap((setting, at) => settingIssues(setting, ['settings', at])),
    ...places.flatMap(({ place, path }, at) => [
      ...(place.when === undefined ? [] : conditionIssues(place.when, [...path, 'when'])),
      ...sourceIssues(place, sources, path),
      ...topicIssues(place, names.slice(0, at), path),
    ]),
    ...settings.flatMap(({ name }, at): readonly YamlIssue[] =>
      names.indexOf(name) === readings.length + at
        ? []
        : [{ path: ['settings', at, 'name'], message: `is there twice: "${name}"` }],
    ),
    ...(serialNumber === undefined || readings.some(({ name }) => name === serialNumber)
      ? []
      : [{ path: ['serial_number'], message: `names no reading: "${serialNumber}"` }]),
  ];
}

function conditionIssues({ from = 0, to = LAST_CONTENT }: Condition, path: Path): readonly YamlIssue[] {
  return from <= to ? [] : [{ path: [...path, 'from'], message: `is above "to", ${to}` }];
}

function sourceIssues(
  { source = '' }: ProfileReading | ProfileSetting,
  sources: DriverProfile['sources'],
  path: Path,
): readonly YamlIssue[] {
  const letters = source.split(',').map((letter) => letter.trim());
  const unknown = letters.find((letter) => letter !== '' && !Object.hasOwn(sources, letter));
  return unknown === undefined
    ? []
    : [{ path: [...path, 'source'], message: `is not in "sources": "${unknown}"` }];
}

/** @param before names of the readings and settings above this one */
function topicIssues(
  { name }: ProfileReading | ProfileSetting,
  before: readonly string[],
  path: Path,
): readonly YamlIssue[] {
  const topic = (text: string): string => topicOf('inverters', 0, text);
  const twin = before.find((other) => other !== name && topic(other) === topic(name));
  return twin === undefined
    ? []
    : [{ path: [...path, 'name'], message: `has the same topic as "${twin}" above` }];
}

/** @param above the readings above this one */
function readingIssues(
  reading: ProfileReading,
  path: Path,
  above: readonly ProfileReading[],
): readonly YamlIssue[] {
  const { at, type, sum, product, labels, length, direction, min, max } = reading;
  const places = [at, sum, product].filter((place) => place !== undefined).length;
  if (places !== 1) return [{ path, message: 'needs exactly one of "at", "sum" and "product"' }];
  const issues: YamlIssue[] = [];
  if (direction !== undefined && (direction.positive === undefined) === (direction.negative === undefined)) {
    issues.push({ path: [...path, 'direction'], message: 'needs either "positive" or "negative"' });
  }
  for (const [field, terms] of Object.entries({ sum, product })) {
    for (const [index, term] of (terms ?? []).entries()) {
      const { name } = termOf(term);
      const named = above.filter((other) => other.name === name);
      if (named.length === 0) {
        issues.push({ path: [...path, field, index], message: `names no reading above this one: "${name}"` });
      } else if (!named.every(isNumeric)) {
        issues.push({
          path: [...path, field, index],
          message: `names a reading that is no number: "${name}"`,
        });
      }
    }
  }
  issues.push(...placeIssues(reading, path));
  if (at !== undefined && type === undefined) issues.push({ path, message: 'needs a "type"' });
  if ((type === 'code' || type === 'flags') !== (labels !== undefined)) {
    issues.push({
      path,
      message: labels === undefined ? `needs "labels"` : 'has labels, and is no code or flags',
    });
  }
  if ((type === 'text' || type === 'characters') && length === undefined) {
    issues.push({ path, message: 'needs its "length" in registers' });
  }
  if (min !== undefined && max !== undefined && min > max) {
    issues.push({ path: [...path, 'min'], message: `is above "max", ${max}` });
  }
  return issues;
}

/** Rules of every place in registers. */
function placeIssues(place: ProfileReading | ProfileSetting, path: Path): readonly YamlIssue[] {
  const { at, type, mask, scale } = place;
  if (scale === 0) return [{ path: [...path, 'scale'], message: 'makes every value 0' }];
  if (at !== undefined && at + widthOf(place) - 1 > LAST_REGISTER) {
    const message = `leaves no room for ${type}: the last register is ${LAST_REGISTER}`;
    return [{ path: [...path, 'at'], message }];
  }
  if (mask === undefined || !isWideNumber(place)) return [];
  return [{ path: [...path, 'mask'], message: `is of one register, and a ${type} has several` }];
}

function settingIssues(setting: ProfileSetting, path: Path): readonly YamlIssue[] {
  const { type, table, labels, mask, min, max } = setting;
  if (table === 'input') {
    return [{ path: [...path, 'table'], message: 'must be "holding": input registers cannot be written' }];
  }
  const isNumber = type === 'u16' || type === 's16' || isWideNumber(setting);
  if (isNumber && (min === undefined || max === undefined)) {
    return [{ path, message: 'needs "min" and "max": no value beyond them is ever written' }];
  }
  if (min !== undefined && max !== undefined && min > max) {
    return [{ path: [...path, 'min'], message: `is above "max", ${max}` }];
  }
  const broken = placeIssues(setting, path);
  if (broken.length > 0) return broken;
  if (isNumber && !canHold(setting)) {
    return [{ path, message: `has bounds that a ${type} cannot hold` }];
  }
  if (type === 'code' && labels === undefined) return [{ path, message: 'needs "labels"' }];
  if (type === 'switch' && mask === undefined) return [{ path, message: 'needs the "mask" of its bits' }];
  return [];
}

function isNumeric(reading: ProfileReading): boolean {
  const { at, type } = reading;
  return at === undefined || type === 'u16' || type === 's16' || isWideNumber(reading);
}

/** Whether its registers can hold its bounds; those whose scale is in a register are as large as that makes them. */
function canHold({ type, scale = 1, scale_by: scaleBy, min = 0, max = 0 }: ProfileSetting): boolean {
  if (scaleBy !== undefined || !Object.hasOwn(RANGES, type)) return true;
  const [least, most] = RANGES[type as keyof typeof RANGES];
  return [min, max].every((bound) => {
    const counts = Math.round(bound / scale);
    return counts >= least && counts <= most;
  });
}
