import { Provider } from 'oidc-provider';
import type { FoundCode, GrantService } from '../features/grants/service.ts';

interface CodeExchange {
  readonly code: string;
  readonly found: Promise<FoundCode | undefined>;
  /** Whether the code is good, so that a token may be issued for it. */
  isToBeConsumed: boolean;
}

/**
 * Requests that exchange a code for a token. The OAuth server asks for one thing after the other: the client, the
 * code, its grant; it consumes the code and stores the token. Waiting for the database each time would take longer
 * than all the rest, so the code and its grant are looked up with each other and beside the client, and the code is
 * consumed by the statement that stores the token.
 */
export class CodeExchanges {
  readonly #grants: GrantService;
  readonly #underWay = new WeakMap<object, CodeExchange>();

  constructor(grants: GrantService) {
    this.#grants = grants;
  }

  /** Begins to look for the code that the request under way shows, if it shows one. */
  begin(): void {
    const { ctx } = Provider;
    if (ctx?.oidc?.route !== 'token' || this.#underWay.has(ctx)) return;
    const code = ctx.oidc.params?.code;
    if (typeof code !== 'string') return;
    const found = this.#grants.findCode(code);
    // A request that is refused for something else never asks what came of it.
    found.catch(() => undefined);
    this.#underWay.set(ctx, { code, found, isToBeConsumed: false });
  }

  code(code: string): Promise<FoundCode | undefined> {
    const exchange = this.#current();
    return exchange?.code === code ? exchange.found : this.#grants.findCode(code);
  }

  /** @returns undefined for a grant that was ended or has expired */
  async grant(id: string): Promise<Record<string, unknown> | undefined> {
    const code = await this.#current()?.found;
    return code?.grantId === id ? code.grant : this.#grants.payload(id);
  }

  /** Notes that a code is good: it is consumed when the token is issued. */
  consume(code: string): void {
    const exchange = this.#current();
    if (exchange?.code !== code) throw new Error('A code is consumed by the request that shows it');
    exchange.isToBeConsumed = true;
  }

  /** Issues the token that the code of the request under way becomes. */
  issue(token: Parameters<GrantService['exchangeCode']>[1]): ReturnType<GrantService['exchangeCode']> {
    const exchange = this.#current();
    if (!exchange?.isToBeConsumed) throw new Error('Access tokens are issued for codes alone');
    return this.#grants.exchangeCode(exchange.code, token);
  }

  #current(): CodeExchange | undefined {
    const { ctx } = Provider;
    return ctx && this.#underWay.get(ctx);
  }
}
