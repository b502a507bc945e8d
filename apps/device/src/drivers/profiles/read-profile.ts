import { schemaErrors } from '../../yaml/schema-errors.ts';
import { fieldOf, type Path, type SourcePosition, type YamlIssue, YamlSource } from '../../yaml/source.ts';
import { isWideNumber, widthOf } from './compiled-profile.ts';
import { DriverProfile, type ProfileReading, type ProfileSetting } from './profile-schema.ts';
import { termOf } from './terms.ts';

const LAST_REGISTER = 0xffff;

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
  readings,
  settings = [],
  serial_number: serialNumber,
}: DriverProfile): readonly YamlIssue[] {
  const names = [...readings, ...settings].map(({ name }) => name);
  return [
    ...readings.flatMap((reading, at) => readingIssues(reading, ['readings', at], names.slice(0, at))),
    ...settings.flatMap((setting, at) => settingIssues(setting, ['settings', at])),
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

/** @param before names of the readings above this one */
function readingIssues(reading: ProfileReading, path: Path, before: readonly string[]): readonly YamlIssue[] {
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
      if (before.includes(name)) continue;
      issues.push({ path: [...path, field, index], message: `names no reading above this one: "${name}"` });
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
  const { at, type, mask } = place;
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
  if (type === 'code' && labels === undefined) return [{ path, message: 'needs "labels"' }];
  if (type === 'switch' && mask === undefined) return [{ path, message: 'needs the "mask" of its bits' }];
  return placeIssues(setting, path);
}
