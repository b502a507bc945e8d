import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { ruleOf } from './control-rule.ts';
import { draftOf, expectedValue, payloadOf } from './drafts.ts';

/** A change that is reviewed before it is applied. */
export interface Change {
  readonly definition: MetricDefinition;
  readonly payload: string;
}

interface FoundChanges {
  /** In the order of the settings, which is that in which they are sent. */
  readonly changes: readonly Change[];
  /** The first setting whose draft cannot be sent. */
  readonly invalid: MetricDefinition | undefined;
}

/**
 * The changes that drafts are about; a draft of the present value is none.
 *
 * @param decimal the decimal separator of the reader's language
 */
export function changesOf(
  definitions: readonly MetricDefinition[],
  drafts: ReadonlyMap<string, string>,
  presentValue: (topic: string) => MetricValue,
  decimal: string,
): FoundChanges {
  const changes: Change[] = [];
  for (const definition of definitions) {
    const draft = drafts.get(definition.topic);
    const rule = ruleOf(definition);
    if (draft === undefined || rule === null) continue;
    const read = payloadOf(rule, draft, decimal);
    if ('problem' in read) return { changes, invalid: definition };
    const wanted = draftOf(rule, expectedValue(rule, read.payload), decimal);
    if (wanted !== draftOf(rule, presentValue(definition.topic), decimal)) {
      changes.push({ definition, payload: read.payload });
    }
  }
  return { changes, invalid: undefined };
}

/** The id of a setting's control in the page. */
export function controlId(topic: string): string {
  return `setting-${topic}`;
}
