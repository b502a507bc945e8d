import type { Adapter } from 'oidc-provider';
import type { CodeExchanges } from '../code-exchanges.ts';
import { CODE_MODEL, type GrantService } from '../grants/service.ts';
import { recordAdapter } from './records.ts';

/** Codes: kept as other records are, and consumed with the token that they become. */
export function codeAdapter(grants: GrantService, exchanges: CodeExchanges): Adapter {
  return {
    ...recordAdapter(CODE_MODEL, grants),
    async find(id) {
      const code = await exchanges.code(id);
      return code && { ...code.payload, ...(code.consumedAt !== null && { consumed: true }) };
    },
    consume: async (id) => exchanges.consume(id),
  };
}
