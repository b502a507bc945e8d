import {
  DEVICE_DELEGATION_SUSPENSIONS,
  type DecidedDelegation,
  type DeviceDelegation,
  type DeviceDelegationKind,
  type DeviceDelegationSuspension,
  type ReportedDelegation,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Caller } from '../../access/caller.ts';
import type { RegisteredSite } from '../../access/registered-site.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { storeIfUsable } from '../../storage/opening/store-unusable.ts';
import type { ConfigFile } from '../config-file.ts';
import { type Delegated, delegatedIn } from './delegated.ts';

const KEY = 'delegations';

/** The author of a delegation. */
interface DelegationRecord {
  readonly id: string;
  /** `local` with the device password, `user 12` with a site token; null: the record was lost. */
  readonly author: string | null;
  /** Null, like the next two, for the household. */
  readonly userId: number | null;
  readonly source: string | null;
  /** Whether the site token was of a session; undefined: an earlier release recorded it. */
  readonly isPerson?: boolean;
  readonly siteId: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly suspended: DeviceDelegationSuspension | null;
  /** Expiry of the author's API token, in milliseconds since the epoch; null: none is known. */
  readonly until: number | null;
}

/** The stored form. */
interface Stored {
  readonly records: readonly DelegationRecord[];
  /** Ids and times that the cloud knows. */
  readonly reported: readonly string[];
}

const IntegerOrNull = Type.Union([Type.Integer(), Type.Null()]);
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const STORED = Compile(
  Type.Object({
    records: Type.Array(
      Type.Object({
        id: Type.String(),
        author: TextOrNull,
        userId: IntegerOrNull,
        source: TextOrNull,
        isPerson: Type.Optional(Type.Boolean()),
        siteId: IntegerOrNull,
        at: Type.Integer(),
        suspended: Type.Union([Type.Enum([...DEVICE_DELEGATION_SUSPENSIONS]), Type.Null()]),
        until: IntegerOrNull,
      }),
    ),
    reported: Type.Array(Type.String()),
  }),
);

export interface DelegationsOptions {
  /** The configuration that the device runs with. */
  readonly running: ConfigFile;
  readonly store: KeyValueStore;
  readonly site: RegisteredSite;
  /** Whether the settings of the store were lost, and with them authors. */
  readonly isStoreLost: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A delegation that is in the way of a write. */
export interface SuspendedDelegation {
  readonly message: string;
}

/**
 * Authors of the parts of the configuration that let others write. The right of an author with a site token ends, and
 * with it what the author delegated; the cloud decides that. What has no record was written in the file by hand, and is the household's, as is all that was set with the device password.
 */
export class Delegations {
  readonly #options: DelegationsOptions;
  readonly #running: readonly Delegated[];
  #stored: Stored;
  /** False where the cloud is of a release that takes no reports. */
  #isReportable = true;

  constructor(options: DelegationsOptions) {
    const { running, store, isStoreLost, now } = options;
    this.#options = options;
    this.#running = delegatedIn(running);
    const stored = store.json(KEY, STORED, null);
    this.#stored = stored ?? { records: [], reported: [] };
    if (stored !== null) return;
    const isLost = isStoreLost || store.get(KEY) !== undefined;
    // A delegation of a person who was removed must not come back with the loss of its record.
    const lost = { author: null, userId: null, source: null, siteId: null, at: now(), until: null };
    const records = isLost
      ? this.#running.map(({ id }) => ({ ...lost, id, suspended: 'unknown' as const }))
      : [];
    this.#learn({ records, reported: [] });
  }

  list(file: ConfigFile): DeviceDelegation[] {
    return delegatedIn(file).map(({ id, kind, subject }) => {
      const record = this.#recordOf(id);
      return {
        id,
        kind,
        subject,
        author: record?.author ?? null,
        set_at: record === undefined ? null : new Date(record.at).toISOString(),
        suspended: record === undefined ? null : this.#suspensionOf(record),
      };
    });
  }

  /** Records the author of what a change adds. @throws the store's error */
  record(before: ConfigFile, after: ConfigFile, caller: Caller): void {
    const [former, next] = [idsIn(before), idsIn(after)];
    const added = [...next].filter((id) => !former.has(id));
    // A configuration that the device cannot start with is taken back: the running one returns.
    const known = new Set([...former, ...next, ...this.#running.map(({ id }) => id)]);
    const others = this.#stored.records.filter(({ id }) => known.has(id) && !added.includes(id));
    const records = [...others, ...added.map((id) => this.#recordBy(caller, id))];
    if (added.length > 0) this.#save({ ...this.#stored, records });
    else if (records.length < this.#stored.records.length) this.#learn({ ...this.#stored, records });
  }

  /** Lets a suspended delegation act again, with the caller as its author. @throws the store's error */
  keep(id: string, caller: Caller): void {
    const others = this.#stored.records.filter((record) => record.id !== id);
    this.#save({ ...this.#stored, records: [...others, this.#recordBy(caller, id)] });
  }

  /** Why the device does not let others write now; undefined when it may. @param connection of the kind `connection` */
  suspended(kind: DeviceDelegationKind, connection?: number): SuspendedDelegation | undefined {
    const record = this.#recordOf(this.#runningOf(kind, connection)?.id);
    const suspension = record && this.#suspensionOf(record);
    if (record === undefined || suspension === undefined || suspension === null) return undefined;
    const reason = REASONS[suspension].replace('{author}', record.author ?? '');
    return { message: `${reason}; it can be allowed again on the device's page "Configuration"` };
  }

  /** The author with a site token, such as `user 12`; undefined for the household. */
  authorOf(kind: DeviceDelegationKind, connection?: number): string | undefined {
    const record = this.#recordOf(this.#runningOf(kind, connection)?.id);
    return record?.userId == null ? undefined : (record.author ?? undefined);
  }

  /** Whether there is something that the cloud does not know. */
  get isReportDue(): boolean {
    const { reported } = this.#stored;
    const known = this.report().map(keyOf);
    return (
      this.#isReportable && (known.length !== reported.length || known.some((key) => !reported.includes(key)))
    );
  }

  report(): ReportedDelegation[] {
    return this.#running.flatMap(({ id, kind, subject }): ReportedDelegation[] => {
      const record = this.#recordOf(id);
      if (record?.userId == null || record.siteId !== this.#options.site.id) return [];
      const { userId, source, isPerson, at } = record;
      const credential = { source, ...(isPerson !== undefined && { person: isPerson }) };
      return [{ id, kind, subject, user_id: userId, ...credential, set_at: new Date(at).toISOString() }];
    });
  }

  /** Takes the cloud's answer to a report. What is suspended stays so until a person allows it again. */
  learn(report: readonly ReportedDelegation[], decided: readonly DecidedDelegation[] | undefined): void {
    this.#isReportable = decided !== undefined;
    if (decided === undefined) return;
    const byKey = new Map(decided.map((one) => [keyOf(one), one]));
    const records = this.#stored.records.map((record) => {
      const decision = byKey.get(keyOf({ id: record.id, set_at: new Date(record.at).toISOString() }));
      if (decision === undefined) return record;
      const { suspended, until } = decision;
      return {
        ...record,
        suspended: record.suspended ?? suspensionIn(suspended),
        until: until === null ? null : Date.parse(until),
      };
    });
    this.#learn({ records, reported: report.map(keyOf) });
  }

  #runningOf(kind: DeviceDelegationKind, connection?: number): Delegated | undefined {
    return this.#running.find((one) => one.kind === kind && one.connection === connection);
  }

  #recordOf(id: string | undefined): DelegationRecord | undefined {
    return this.#stored.records.find((record) => record.id === id);
  }

  #suspensionOf({ suspended, userId, siteId, until }: DelegationRecord): DeviceDelegationSuspension | null {
    if (suspended !== null || userId === null) return suspended;
    if (siteId !== this.#options.site.id) return 'site';
    return until !== null && until <= this.#options.now() ? 'token' : null;
  }

  #recordBy({ name, token, isPerson = false }: Caller, id: string): DelegationRecord {
    const { userId = null, source = null, siteId = null } = token ?? {};
    const at = this.#options.now();
    return { id, author: name, userId, source, isPerson, siteId, at, suspended: null, until: null };
  }

  /** A device whose store cannot be used keeps it until its next start; it writes nothing meanwhile. */
  #learn(stored: Stored): void {
    storeIfUsable(() => this.#save(stored));
    this.#stored = stored;
  }

  #save(stored: Stored): void {
    const { store } = this.#options;
    const text = JSON.stringify(stored);
    if (text !== store.get(KEY)) store.set(KEY, text);
    this.#stored = stored;
  }
}

const REASONS: Readonly<Record<DeviceDelegationSuspension, string>> = {
  role: '{author} set this up and may not change settings of this home any more',
  account: '{author}, who set this up, closes the account',
  token: 'the API token by which {author} set this up was revoked or has expired',
  site: 'it was set up when the device belonged to another site',
  unknown: 'the device lost the record of who set this up',
};

/** A reason of a newer cloud suspends, too. */
function suspensionIn(reason: string | null): DeviceDelegationSuspension | null {
  return reason === null ? null : (DEVICE_DELEGATION_SUSPENSIONS.find((one) => one === reason) ?? 'role');
}

function keyOf({ id, set_at }: Pick<DecidedDelegation, 'id' | 'set_at'>): string {
  return `${id} ${set_at}`;
}

function idsIn(file: ConfigFile): ReadonlySet<string> {
  return new Set(delegatedIn(file).map(({ id }) => id));
}
