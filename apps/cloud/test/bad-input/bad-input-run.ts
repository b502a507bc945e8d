import { API_TOKEN_SCOPES, SESSION_SCOPES } from '@heliograph/contracts';
import { fetchDocument } from '../api-document.ts';
import { inParallel } from '../in-parallel.ts';
import { startTestCloud, type TestCloud } from '../test-cloud.ts';
import { tracingLogger } from '../tracing-logger.ts';
import { type BadInputOperation, operationsOf } from './operations.ts';
import { Requests } from './requests.ts';

/** Those of sessions and of API tokens: no token has both. */
const ALL_SCOPES = [...new Set([...SESSION_SCOPES, ...API_TOKEN_SCOPES])];

/** Concurrent requests, and requests until the rate limits are reset. */
const CONCURRENCY = 6;
const PER_ROUND = 6;

/** Refusals are to be read: they repeat no more than a part of what was sent, in characters. */
const MAX_REFUSAL_LENGTH = 2_000;

/** A request with one invalid part. */
export interface Payload {
  readonly description: string;
  readonly path?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly content?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  /** Whether the request must be refused. */
  readonly mustFail: boolean;
}

/** An answer outside the contract. */
export interface UnexpectedAnswer {
  readonly description: string;
  readonly status: number;
  readonly answer: string;
}

/** A cloud that receives hostile input, and its log. */
export class BadInputRun implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly operations: readonly BadInputOperation[];
  readonly requests: Requests;
  readonly #lines: string[];
  readonly #account: number;
  #count = 0;

  private constructor(
    cloud: TestCloud,
    operations: readonly BadInputOperation[],
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

  get log(): string {
    return this.#lines.join('');
  }

  operation(id: string): BadInputOperation {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`There is no operation ${id}`);
    return found;
  }

  /** Sends every payload. @returns the answers that the contract does not allow */
  async unexpectedAnswers(
    operation: BadInputOperation,
    payloads: readonly Payload[],
  ): Promise<UnexpectedAnswer[]> {
    const token = await this.#tokenFor(operation);
    const found: UnexpectedAnswer[] = [];
    for (let first = 0; first < payloads.length; first += PER_ROUND) {
      await this.cloud.db.deleteFrom('rate_limits').execute();
      const round = payloads.slice(first, first + PER_ROUND);
      const answers = await inParallel(round, CONCURRENCY, (payload) =>
        this.#check(operation, payload, token),
      );
      found.push(...answers.filter((answer) => answer !== undefined));
    }
    return found;
  }

  #tokenFor({ caller, body }: BadInputOperation): Promise<string> | string | undefined {
    if (caller === 'anonymous') return undefined;
    if (caller === 'proxy') return this.cloud.proxyCredential(body === undefined ? 'us-1' : 'bad-input');
    if (caller === 'application') return this.requests.application(this.#account);
    // A session is accepted by every operation, but for its scopes; some requests end it.
    return this.cloud.make.token(this.#account, { kind: 'session', scopes: ALL_SCOPES });
  }

  async #check(
    operation: BadInputOperation,
    payload: Payload,
    token: string | undefined,
  ): Promise<UnexpectedAnswer | undefined> {
    const response = await this.#send(operation, payload, token);
    const answer = await response.text();
    const { status } = response;
    const unexpected = { description: payload.description, status, answer: answer.slice(0, 300) };
    if (status < 400) return payload.mustFail || !operation.answers.has(status) ? unexpected : undefined;
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
    const isAllowed = isJson && operation.answers.get(status)?.(JSON.parse(answer)) === true;
    return isAllowed && answer.length <= MAX_REFUSAL_LENGTH ? undefined : unexpected;
  }

  async #send(
    operation: BadInputOperation,
    { path = {}, query, content, contentType }: Payload,
    token: string | undefined,
  ): Promise<Response> {
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? 'missing');
    return fetch(`${this.cloud.url}${filled}${query === undefined ? '' : `?${query}`}`, {
      method: operation.method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': this.#nextAddress(),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(content !== undefined && { 'content-type': contentType ?? 'application/json' }),
      },
      ...(content !== undefined && { body: content }),
      signal: AbortSignal.timeout(15_000),
    });
  }

  #nextAddress(): string {
    this.#count += 1;
    return `198.18.${(this.#count >> 8) & 255}.${this.#count & 255}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cloud[Symbol.asyncDispose]();
  }
}
