import type { SiteLocation } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations/internal';
import { pathOf } from '@heliograph/contracts/operations/path-of';

/** How long the cloud's answer is taken for true, in milliseconds: for a site that is online, and for any other. */
const ONLINE_AGE_MS = 3_000;
const OFFLINE_AGE_MS = 1_000;
/** How long an older answer serves while the cloud is out of reach, in milliseconds. */
const STALE_AGE_MS = 10 * 60_000;
/** An unreachable cloud is not requested again for so long, in milliseconds, so that requests fail fast. */
const FAILURE_PAUSE_MS = 1_000;
const TIMEOUT_MS = 3_000;
/** How many answers are kept; beyond it the one used longest ago is dropped. */
const MAX_CACHED_ANSWERS = 20_000;

export interface SiteLocatorOptions {
  readonly cloudUrl: string;
  /** The proxy's own name. */
  readonly name: string;
  readonly credential: string;
}

interface Answer {
  /** Undefined: there is no such site. */
  readonly location: SiteLocation | undefined;
  readonly atMs: number;
}

/** How old an answer may be, in milliseconds. */
interface AnswerAges {
  /** Upper limit below the usual few seconds. */
  readonly maxAgeMs?: number;
  /** Accepted age above the usual few seconds. */
  readonly acceptedAgeMs?: number;
}

/** Asks the cloud which proxy holds a site, and remembers it for a few seconds. */
export class SiteLocator {
  readonly #options: SiteLocatorOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #pending = new Map<string, Promise<Answer>>();
  #failure: { readonly error: unknown; readonly untilMs: number } | undefined;

  constructor(options: SiteLocatorOptions) {
    this.#options = options;
  }

  /**
   * @param maxAgeMs how old the answer may be, in milliseconds, where the usual few seconds are too long
   * @returns undefined when there is no such site
   * @throws when the cloud is out of reach and nothing is remembered
   */
  byId(siteId: number, maxAgeMs?: number): Promise<SiteLocation | undefined> {
    const { name } = this.#options;
    const path = pathOf(internalOperations.locateSite.route, { name, id: siteId });
    return this.#find(path, maxAgeMs === undefined ? {} : { maxAgeMs });
  }

  /**
   * A site of the proxy's region by its name, in any letter case. Returns and throws as `byId` does.
   *
   * @param acceptedAgeMs how old the answer may be, in milliseconds, where more than the usual few seconds will do
   */
  byName(siteName: string, acceptedAgeMs = 0): Promise<SiteLocation | undefined> {
    return this.#find(this.#pathOfName(siteName), { acceptedAgeMs });
  }

  /** Whether `byName` answers without asking the cloud. */
  hasCachedName(siteName: string, acceptedAgeMs = 0): boolean {
    return this.#isFresh(this.#answers.get(this.#pathOfName(siteName)), { acceptedAgeMs });
  }

  #pathOfName(siteName: string): string {
    const parameters = { name: this.#options.name, site_name: siteName.toLowerCase() };
    return pathOf(internalOperations.locateSiteByName.route, parameters);
  }

  #isFresh(known: Answer | undefined, ages: AnswerAges): boolean {
    if (known === undefined) return false;
    const { maxAgeMs = Number.POSITIVE_INFINITY, acceptedAgeMs = 0 } = ages;
    const usualMs = known.location?.online === true ? ONLINE_AGE_MS : OFFLINE_AGE_MS;
    return performance.now() - known.atMs < Math.max(acceptedAgeMs, Math.min(usualMs, maxAgeMs));
  }

  async #find(path: string, ages: AnswerAges): Promise<SiteLocation | undefined> {
    const known = this.#answers.get(path);
    if (known !== undefined && this.#isFresh(known, ages)) {
      this.#remember(path, known);
      return known.location;
    }
    try {
      return (await this.#fetchOnce(path)).location;
    } catch (error) {
      if (known === undefined || performance.now() - known.atMs > STALE_AGE_MS) throw error;
      return known.location;
    }
  }

  #fetchOnce(path: string): Promise<Answer> {
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    if (this.#failure !== undefined && performance.now() < this.#failure.untilMs) {
      return Promise.reject(this.#failure.error);
    }
    const requested = this.#fetch(path)
      .then((location) => {
        const answer = { location, atMs: performance.now() };
        this.#failure = undefined;
        this.#remember(path, answer);
        return answer;
      })
      .finally(() => this.#pending.delete(path));
    this.#pending.set(path, requested);
    return requested;
  }

  async #fetch(path: string): Promise<SiteLocation | undefined> {
    const response = await this.#request(path);
    if (response.ok) return (await response.json()) as SiteLocation;
    await response.body?.cancel();
    // An invalid name belongs to no site.
    if (response.status === 404 || response.status === 400) return undefined;
    throw new Error(`the cloud answered ${response.status}`);
  }

  async #request(path: string): Promise<Response> {
    try {
      return await fetch(`${this.#options.cloudUrl}${path}`, {
        headers: { authorization: `Bearer ${this.#options.credential}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      this.#failure = { error, untilMs: performance.now() + FAILURE_PAUSE_MS };
      throw error;
    }
  }

  /** The map's order is that of the last use. */
  #remember(path: string, answer: Answer): void {
    this.#answers.delete(path);
    this.#answers.set(path, answer);
    if (this.#answers.size <= MAX_CACHED_ANSWERS) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}
