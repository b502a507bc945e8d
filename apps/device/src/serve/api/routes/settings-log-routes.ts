import { DEFAULT_LIMIT, MAX_LIMIT, type SettingWrite } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import type { FollowedWrite, FollowedWrites } from '../../../storage/followed-writes.ts';

/** The readable part of the write log. */
export type WriteHistory = Pick<FollowedWrites, 'recent'>;

/** The log of setting changes with their authors. */
export function settingsLogRoutes(api: Api, log: WriteHistory): void {
  api.serve(deviceOperations.listSettingWrites, ({ query: { limit = DEFAULT_LIMIT, before } }) => {
    const most = Math.min(Number(limit), MAX_LIMIT);
    return log.recent(most, before === undefined ? undefined : Number(before)).map(presented);
  });
}

function presented(write: FollowedWrite): SettingWrite {
  const { id, at, author, via, topic, oldValue, newValue, outcome, reason } = write;
  const { settledAt, isOpen, settlesBy, alsoChanged } = write;
  return {
    id,
    at: new Date(at).toISOString(),
    author,
    via,
    topic,
    old_value: oldValue,
    new_value: newValue,
    outcome,
    reason,
    settled_at: settledAt === null ? null : new Date(settledAt).toISOString(),
    pending: isOpen,
    settles_by: settlesBy,
    also_changed: alsoChanged.map((other) => ({
      topic: other.topic,
      old_value: other.oldValue,
      new_value: other.newValue,
    })),
  };
}
