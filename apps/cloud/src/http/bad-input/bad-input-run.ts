import { SESSION_SCOPES } from '@heliograph/contracts';
import { fetchDocument } from '../../testing/api-document.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { inParallel } from '../access/engine.ts';
import { type Operation, operationsOf } from './operations.ts';
import { Requests } from './requests.ts';
import { tracingLogger } from './tracing-logger.ts';

/** How many requests are under way at once, and how many go by until rate limits are forgotten. */
const AT_ONCE = 6;
const PER_ROUND = 6;

/** One request, spoiled somewhere. */
export interface Shot {
  /** What is wrong with it, in short. */
  readonly about: string;
  readonly path?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  /** Whether any answer but a refusal is wrong. */
  readonly mustFail: boolean;
}

/** What came back that should not have. */
export interface Surprise {
  readonly about: string;
  readonly status: number;
  readonly answer: string;
}

/** A cloud that is sent what nobody should send, whose log is kept. */
export class BadInputRun implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly operations: readonly Operation[];
  readonly requests: Requests;
  readonly #lines: string[];
  readonly #account: number;
  #count = 0;

  private constructor(
    cloud: TestCloud,
    operations: readonly Operation[],
    requests: Requests,
    lines: string[],
    account: number,
  ) {
    this.cloud = cloud;
    this.operations = operations;
    this.requests = requests;
    this.#lines = lines;
    this.#account = account;
  }

  static async start(): Promise<BadInputRun> {
    const { logger, lines } = tracingLogger();
    const cloud = await startTestCloud({}, logger);
    await cloud.announce('us-1');
    const staff = await cloud.make.user({ staff: true });
    const operations = operationsOf(await fetchDocument(cloud.url));
    return new BadInputRun(cloud, operations, await Requests.about(cloud, staff.id), lines, staff.id);
  }

  /** Everything that was logged so far. */
  get log(): string {
    return this.#lines.join('');
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`No operation is called ${id}`);
    return found;
  }

  /** Sends them all. @returns those whose answers the contract does not foresee */
  async surprises(operation: Operation, shots: readonly Shot[]): Promise<Surprise[]> {
    const token = await this.#tokenFor(operation);
    const found: Surprise[] = [];
    for (let first = 0; first < shots.length; first += PER_ROUND) {
      await this.cloud.db.deleteFrom('rate_limits').execute();
      const round = shots.slice(first, first + PER_ROUND);
      const answers = await inParallel(round, AT_ONCE, (shot) => this.#judge(operation, shot, token));
      found.push(...answers.filter((surprise) => surprise !== undefined));
    }
    return found;
  }

  #tokenFor({ caller, body }: Operation): Promise<string> | string | undefined {
    if (caller === 'nobody') return undefined;
    if (caller === 'proxy') return this.cloud.proxyCredential(body === undefined ? 'us-1' : 'bad-input');
    if (caller === 'application') return this.requests.application(this.#account);
    // A session may do what only the person may do, besides everything else; some requests end it.
    return this.cloud.make.token(this.#account, { kind: 'session', scopes: SESSION_SCOPES });
  }

  async #judge(operation: Operation, shot: Shot, token: string | undefined): Promise<Surprise | undefined> {
    const response = await this.#send(operation, shot, token);
    const answer = await response.text();
    const { status } = response;
    const surprise = { about: shot.about, status, answer: answer.slice(0, 300) };
    if (status < 400) return shot.mustFail || !operation.answers.has(status) ? surprise : undefined;
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    const isForeseen = isJson && operation.answers.get(status)?.(JSON.parse(answer)) === true;
    return isForeseen ? undefined : surprise;
  }

  async #send(
    operation: Operation,
    { path = {}, query, content, contentType }: Shot,
    token: string | undefined,
  ): Promise<Response> {
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? 'missing');
    return fetch(`${this.cloud.url}${filled}${query === undefined ? '' : `?${query}`}`, {
      method: operation.method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': this.#freshAddress(),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(content !== undefined && { 'content-type': contentType ?? 'application/json' }),
      },
      ...(content !== undefined && { body: content }),
      signal: AbortSignal.timeout(15_000),
    });
  }

  #freshAddress(): string {
    this.#count += 1;
    return `198.18.${(this.#count >> 8) & 255}.${this.#count & 255}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cloud[Symbol.asyncDispose]();
  }
}
