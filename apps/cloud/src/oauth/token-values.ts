import type { Provider } from 'oidc-provider';
import { newToken } from '../secrets/opaque-token.ts';

interface TokenToName {
  readonly aud?: string | string[];
  format?: string;
}

/** Access tokens begin with what they are, like the other tokens of the service; only agents' have an audience. */
export function nameTokens({ AccessToken }: Provider): void {
  Object.assign(AccessToken.prototype, {
    generateTokenId(this: TokenToName): string {
      // The method that this one stands for notes the format, which is looked at later.
      this.format = 'opaque';
      return newToken(this.aud === undefined ? 'oauth' : 'mcp');
    },
  });
}
