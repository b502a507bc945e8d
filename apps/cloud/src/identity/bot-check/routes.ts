import { readFileSync } from 'node:fs';
import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { serveFile, servePage } from '../../http/pages.ts';
import type { ServerPlatform } from '../../platform.ts';
import { getBotCheckChallenge, verifyBotCheck } from './bot-check.ts';
import { Challenges, type Effort } from './challenges.ts';
import { FILES, PAGE } from './page/files.ts';

const PATH = '/register/verify';

/** The page that clients show in a frame or a WebView, and the operations of its script. */
export function botCheckRoutes(
  app: App,
  api: Api,
  platform: ServerPlatform,
  effort: Effort | undefined,
): void {
  const challenges = new Challenges(platform.config.secret, effort);
  servePage(app, PATH, readFileSync(PAGE, 'utf8'), { framedByAnyone: true });
  for (const [name, file] of Object.entries(FILES)) serveFile(app, `${PATH}/${name}`, file);

  api.serve(internalOperations.getBotCheckChallenge, (request, reply) => {
    reply.header('cache-control', 'no-store');
    return getBotCheckChallenge(platform, clientAddressFrom(request.ip), challenges);
  });

  api.serve(internalOperations.verifyBotCheck, ({ body, ip }) =>
    verifyBotCheck(platform, clientAddressFrom(ip), body, challenges),
  );
}
