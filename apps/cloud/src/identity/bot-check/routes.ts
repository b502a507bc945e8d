import { readFileSync } from 'node:fs';
import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { serveFile, servePage } from '../../http/pages.ts';
import { FILES, PAGE } from './page/files.ts';
import type { BotCheckService } from './service.ts';

const PATH = '/register/verify';

/** The page that clients show in a frame or a WebView, and the operations of its script. */
export function botCheckRoutes(app: App, api: Api, botCheck: BotCheckService): void {
  servePage(app, PATH, readFileSync(PAGE, 'utf8'), { framedByAnyone: true });
  for (const [name, file] of Object.entries(FILES)) serveFile(app, `${PATH}/${name}`, file);

  api.serve(internalOperations.getBotCheckChallenge, (request, reply) => {
    reply.header('cache-control', 'no-store');
    return botCheck.challenge(clientAddressFrom(request.ip));
  });

  api.serve(internalOperations.verifyBotCheck, ({ body, ip }) =>
    botCheck.verify(body, clientAddressFrom(ip)),
  );
}
