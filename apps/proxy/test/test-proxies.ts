import type {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyChangeBody,
  SiteLocation,
} from '@heliograph/contracts';
import { type SigningKey, signRelayToken } from '@heliograph/wire';

/** How long it may take until a revocation shows, in milliseconds. */
const REVOCATION_DELAY_MS = 60_000;

type Revocation = ProxyAnnounceAnswer['revocations'][number];

interface AnnouncedProxy extends Pick<ProxyAnnounceBody, 'host' | 'url'> {
  run: string | undefined;
  sequence: number;
  draining: boolean;
  /** Site by uid. */
  readonly sessions: Map<string, number>;
}

/** The proxies known to a test's cloud, and the contract's handling of their announcements. */
export class TestProxies {
  /** uids of devices that are no longer trusted. */
  readonly revoked = new Set<string>();
  /** Names of the proxies that the operator wants emptied. */
  readonly drainWanted = new Set<string>();
  /** The oldest first. */
  readonly revocations: Revocation[] = [];
  /** Revocations in one answer. */
  revocationsPerAnswer = 10_000;
  readonly siteNames = new Map<number, string>();
  /** When the device of a site was last seen, ISO 8601. */
  readonly lastSeen = new Map<number, string>();
  readonly #key: SigningKey;
  readonly #known = new Map<string, AnnouncedProxy>();

  constructor(key: SigningKey) {
    this.#key = key;
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** Sites of the devices on a proxy. */
  sitesOn(name: string): number[] {
    return [...(this.#known.get(name)?.sessions.values() ?? [])];
  }

  /** Whether the proxy announced that it is draining. */
  isDraining(name: string): boolean {
    return this.#known.get(name)?.draining ?? false;
  }

  /** Forgets what a proxy announced, as a cloud does whose database was lost. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  announce(name: string, body: ProxyAnnounceBody): void {
    const { host, url, run, sequence = 0, draining = false } = body;
    const sessions = new Map(body.sessions.map(({ uid, site_id: siteId }) => [uid, siteId]));
    this.#known.set(name, { host, url, run, sequence, draining, sessions });
  }

  /** @returns false when the changes do not follow what was announced before */
  change(name: string, { run, sequence, draining, removed, added }: ProxyChangeBody): boolean {
    const proxy = this.#known.get(name);
    if (proxy === undefined || proxy.run !== run || proxy.sequence + 1 !== sequence) return false;
    Object.assign(proxy, { sequence, draining });
    for (const uid of removed) proxy.sessions.delete(uid);
    for (const { uid, site_id: siteId } of added) proxy.sessions.set(uid, siteId);
    return true;
  }

  answer(name: string, revocationsSince: string | null): ProxyAnnounceAnswer {
    const sessions = this.#known.get(name)?.sessions ?? new Map<string, number>();
    const revocations = this.revocations
      .filter(({ revoked_at: at }) => revocationsSince === null || at > revocationsSince)
      .slice(0, this.revocationsPerAnswer);
    const last = revocations.length < this.revocationsPerAnswer ? undefined : revocations.at(-1)?.revoked_at;
    return {
      revoked: [...this.revoked].filter((uid) => sessions.has(uid)),
      drain: this.drainWanted.has(name),
      others: this.open(name) !== undefined,
      revocations,
      revocations_next: last ?? new Date(Date.now() - REVOCATION_DELAY_MS).toISOString(),
      revocations_more: last !== undefined,
    };
  }

  /** A proxy that takes devices, other than the named one. */
  open(besides: string): { readonly name: string; readonly url: string } | undefined {
    for (const [name, { draining, url }] of this.#known) {
      if (name !== besides && !draining && !this.drainWanted.has(name)) return { name, url };
    }
    return undefined;
  }

  /** Location of a site for the requesting proxy. */
  async locate(pending: string, siteId: number): Promise<SiteLocation> {
    const holder = [...this.#known].findLast(([, { sessions }]) => [...sessions.values()].includes(siteId));
    const [name, known] = holder ?? [];
    const elsewhere = name !== undefined && name !== pending;
    const claims = { from: pending, to: name ?? '' };
    return {
      site_id: siteId,
      site_name: this.siteNames.get(siteId) ?? null,
      online: known !== undefined,
      last_seen_at: this.lastSeen.get(siteId) ?? null,
      proxy: name === undefined || known === undefined ? null : { name, url: known.url },
      relay_token: elsewhere ? await signRelayToken(this.#key, claims, Date.now()) : null,
    };
  }

  async locateByName(pending: string, siteName: string): Promise<SiteLocation | undefined> {
    const found = [...this.siteNames].find(([, name]) => name.toLowerCase() === siteName.toLowerCase());
    return found && this.locate(pending, found[0]);
  }
}
