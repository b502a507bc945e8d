import { Provider } from 'oidc-provider';
import type { ServerPlatform } from '../platform.ts';
import { exchangeCode, findCode } from './grants/codes.ts';
import { endGrant, grantPayload } from './grants/grants.ts';
import type { CodeExchangeOutcome, FoundCode, NewAccessToken } from './grants/records.ts';
import { type IdentityClaims, identityClaims } from './identity/claims.ts';

interface CodeExchange {
  readonly code: string;
  readonly found: Promise<FoundCode | undefined>;
  /** Whether the code is valid, so that a token may be issued for it. */
  isToBeConsumed: boolean;
  /** The token of the code, while it is being stored. */
  issuing: { readonly grantId: string; readonly exchanged: Promise<CodeExchangeOutcome> } | undefined;
}

/**
 * Requests that exchange a code for a token. The OAuth server reads the client, the code, its grant and the account one
 * after the other, then consumes the code and stores the token. These round trips would take most of the time, so the
 * code's records are read in one query beside that of the client, and the statement that stores the token consumes the
 * code while the id_token is being signed.
 */
export class CodeExchanges {
  readonly #platform: ServerPlatform;
  readonly #underWay = new WeakMap<object, CodeExchange>();

  constructor(platform: ServerPlatform) {
    this.#platform = platform;
  }

  /** Starts the query for the code of a request, if it has one. */
  begin(): void {
    const { ctx } = Provider;
    if (ctx?.oidc?.route !== 'token' || this.#underWay.has(ctx)) return;
    const code = ctx.oidc.params?.code;
    if (typeof code !== 'string') return;
    const found = findCode(this.#platform, code);
    // A request that is refused for another reason never awaits the result.
    found.catch(() => undefined);
    this.#underWay.set(ctx, { code, found, isToBeConsumed: false, issuing: undefined });
  }

  code(code: string): Promise<FoundCode | undefined> {
    const exchange = this.#current();
    return exchange?.code === code ? exchange.found : findCode(this.#platform, code);
  }

  /** @returns undefined for a revoked or expired grant */
  async grant(id: string): Promise<Record<string, unknown> | undefined> {
    const code = await this.#current()?.found;
    return code?.grantId === id ? code.grant : grantPayload(this.#platform, id);
  }

  /** @returns undefined unless the code of the current request belongs to that account */
  async claims(userId: number): Promise<IdentityClaims | undefined> {
    const { account } = (await this.#current()?.found) ?? {};
    return account?.id === userId ? identityClaims(account) : undefined;
  }

  /** Marks a code as valid; it is consumed when the token is issued. */
  consume(code: string): void {
    const exchange = this.#current();
    if (exchange?.code !== code) throw new Error('A code is consumed by the request that shows it');
    exchange.isToBeConsumed = true;
  }

  /** Starts to issue the token of the current request's code. */
  issue(token: NewAccessToken): void {
    const exchange = this.#current();
    if (!exchange?.isToBeConsumed) throw new Error('Access tokens are issued for codes alone');
    const exchanged = exchangeCode(this.#platform, exchange.code, token);
    exchanged.catch(() => undefined);
    exchange.issuing = { grantId: token.grantId, exchanged };
  }

  /** The result of a request's exchange, required before a token is sent; undefined when none was to be issued. */
  async outcome(ctx: object): Promise<CodeExchangeOutcome | undefined> {
    const { issuing } = this.#underWay.get(ctx) ?? {};
    if (issuing === undefined) return undefined;
    const exchanged = await issuing.exchanged;
    // Of two clients with the same code either may be the thief: tokens of both are revoked (RFC 6749, 4.1.2).
    if (exchanged.outcome === 'consumed before') await endGrant(this.#platform, issuing.grantId);
    return exchanged;
  }

  #current(): CodeExchange | undefined {
    const { ctx } = Provider;
    return ctx && this.#underWay.get(ctx);
  }
}
