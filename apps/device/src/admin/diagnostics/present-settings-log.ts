import type { FollowedWrite } from '../../storage/followed-writes.ts';

/** Writes of settings; who wrote is an account's number, `local` or `MQTT`. */
export function presentSettingsLog(entries: readonly FollowedWrite[]): object[] {
  return entries.map(({ id, at, author, via, topic, oldValue, newValue, outcome, reason, ...later }) => ({
    id,
    at: new Date(at).toISOString(),
    // That of MQTT goes on with the address of the broker.
    author: /^(?:local|user \d+|MQTT)(?= |$)/.exec(author)?.[0] ?? 'other',
    via,
    topic,
    old_value: oldValue,
    new_value: newValue,
    outcome,
    reason,
    settled_at: later.settledAt === null ? null : new Date(later.settledAt).toISOString(),
    pending: later.isOpen,
    settles_by: later.settlesBy,
    also_changed: later.alsoChanged.map((other) => ({
      topic: other.topic,
      old_value: other.oldValue,
      new_value: other.newValue,
    })),
  }));
}
