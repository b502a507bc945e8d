import { truncate, Unprocessable } from '@heliograph/kit';
import { type MetricDefinition, roundTo, type SettingRule } from '@heliograph/metrics';

/** Texts that clients send for a switch, besides the payloads that its definition names. */
const ON = new Set(['1', 'on', 'true', 'enabled', 'yes']);
const OFF = new Set(['0', 'off', 'false', 'disabled', 'no']);

/** A plain decimal number; `0x10`, `1e3`, `Infinity` and blanks are none. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** How much of a refused text is given back, in characters. */
const MAX_QUOTED_LENGTH = 64;

/** How many options a refusal lists. */
const MAX_LISTED = 32;

/** How far from a step a number may be for being binary, as a part of the step. */
const STEP_TOLERANCE = 1e-6;

/**
 * Reads the text that a client sent for a setting.
 *
 * @returns the value in the spelling and precision of the setting's rule
 * @throws Unprocessable naming the topic and what it allows
 */
export function parseValue(definition: MetricDefinition, rule: SettingRule, text: string): number | string {
  const value = accepted(definition, rule, text.trim());
  if (value !== undefined) return value;
  throw new Unprocessable(
    `${definition.topic} must be ${allowed(definition, rule)}, not "${truncate(text, MAX_QUOTED_LENGTH)}"`,
  );
}

function accepted(
  definition: MetricDefinition,
  rule: SettingRule,
  text: string,
): number | string | undefined {
  switch (rule.kind) {
    case 'number':
      return acceptedNumber(definition, rule, text);
    case 'select':
      return acceptedOption(rule, text);
    case 'switch':
      return acceptedSwitch(rule, text);
  }
}

function acceptedNumber(
  definition: MetricDefinition,
  { min, max, step }: SettingRule & { kind: 'number' },
  text: string,
): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (value < min || value > max) return undefined;
  const steps = (value - min) / step;
  if (step > 0 && Math.abs(steps - Math.round(steps)) > STEP_TOLERANCE) return undefined;
  const rounded = roundTo(definition, value);
  return typeof rounded === 'number' ? rounded : undefined;
}

function acceptedOption(
  { options, synonyms = {} }: SettingRule & { kind: 'select' },
  text: string,
): string | undefined {
  const option = options.find((candidate) => candidate === text) ?? ignoringCase(options, text);
  if (option !== undefined) return option;
  const [on, off] = [optionIn(options, ON), optionIn(options, OFF)];
  if (options.length === 2 && on !== undefined && off !== undefined) return acceptedSwitch({ on, off }, text);
  const synonym = ignoringCase(Object.keys(synonyms), text);
  return synonym === undefined ? undefined : synonyms[synonym];
}

/** `Enabled` and `Disabled`, or `On` and `Off`, are a switch in all but name. */
function optionIn(options: readonly string[], names: ReadonlySet<string>): string | undefined {
  return options.find((option) => names.has(option.toLowerCase()));
}

function acceptedSwitch({ on, off }: { on: string; off: string }, text: string): string | undefined {
  const payload = ignoringCase([on, off], text);
  if (payload !== undefined) return payload;
  if (ON.has(text.toLowerCase())) return on;
  return OFF.has(text.toLowerCase()) ? off : undefined;
}

/** The one candidate that differs in nothing but case. */
function ignoringCase(candidates: readonly string[], text: string): string | undefined {
  const found = candidates.filter((candidate) => candidate.toLowerCase() === text.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}

function allowed({ unit }: MetricDefinition, rule: SettingRule): string {
  switch (rule.kind) {
    case 'number': {
      const { min, max, step } = rule;
      return `a number from ${min} to ${max}${unit === '' ? '' : ` ${unit}`} in steps of ${step}`;
    }
    case 'select':
      return `one of ${listed(rule.options)}`;
    case 'switch':
      return `"${rule.on}" or "${rule.off}"`;
  }
}

/** A list too long to be read is shortened to its ends. */
function listed(options: readonly string[]): string {
  const quoted = options.map((option) => `"${option}"`);
  if (quoted.length <= MAX_LISTED) return quoted.join(', ');
  return `${quoted.length} options from ${quoted[0]}, ${quoted[1]} to ${quoted.at(-1)}`;
}
