import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import type { IdentityPlatform } from '../../identity/platform.ts';
import { authenticateSession } from '../../identity/tokens/authentication.ts';
import { sessionTokenIn } from '../../portal/session-cookie.ts';
import { recordAdapter } from './records.ts';

const MODEL = 'Interaction';

/** Authorizations begun at one network, which may be that of a whole company. */
export const AUTHORIZATIONS_PER_NETWORK: RateRule = {
  name: 'authorize-network',
  points: 600,
  durationS: 60 * 60,
};

/**
 * Authorizations that wait for a person. Any client can begin one, with parameters as long as a URL may be, and it is
 * stored for an hour: so their number is limited for each network.
 */
export function interactionAdapter(platform: IdentityPlatform): Adapter {
  const records = recordAdapter(MODEL, platform);

  /**
   * Whether the browser of the decision is that of the authorization. A page on another host of the domain could plant the
   * cookies of an authorization that began elsewhere, and would receive the code of the person who allows it.
   */
  async function isAnsweredHere({ result }: AdapterPayload): Promise<boolean> {
    const { ctx } = Provider;
    const answeredBy = result?.login?.accountId;
    if (ctx?.oidc.route !== 'resume' || answeredBy === undefined) return true;
    const token = sessionTokenIn(ctx.headers.cookie);
    const session =
      token === undefined ? undefined : await authenticateSession(platform, token, clientAddressFrom(ctx.ip));
    return String(session?.userId) === answeredBy;
  }

  return {
    ...records,
    async upsert(id, payload, lifetimeS) {
      const { ctx } = Provider;
      // The consent page stores its decision outside requests of the OAuth server.
      if (
        ctx !== undefined &&
        !(await platform.limits.tryConsume(AUTHORIZATIONS_PER_NETWORK, clientAddressFrom(ctx.ip).network))
      )
        throw new errors.TemporarilyUnavailable('too many authorizations from one network');
      await records.upsert(id, payload, lifetimeS);
    },
    async find(id) {
      const payload = await records.find(id);
      return payload && (await isAnsweredHere(payload)) ? payload : undefined;
    },
  };
}
