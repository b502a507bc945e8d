import type { Adapter } from 'oidc-provider';
import type { ServerPlatform } from '../../platform.ts';
import type { CodeExchanges } from '../code-exchanges.ts';
import { CODE_MODEL } from '../grants/codes.ts';
import { recordAdapter } from './records.ts';

/** Codes: kept as other records are, and consumed with the token that they become. */
export function codeAdapter(platform: ServerPlatform, exchanges: CodeExchanges): Adapter {
  return {
    ...recordAdapter(CODE_MODEL, platform),
    async find(id) {
      const code = await exchanges.code(id);
      return code && { ...code.payload, ...(code.consumedAt !== null && { consumed: true }) };
    },
    consume: async (id) => exchanges.consume(id),
  };
}
