import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import {
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  replaceApplicationSecret,
  updateApplication,
} from './applications.ts';
import { settingsErrors } from './settings.ts';

export function applicationRoutes(api: Api, platform: Platform): void {
  serveUseCases(api, platform, {
    listApplications,
    getApplication,
    replaceApplicationSecret,
    deleteApplication,
  });

  api.serve(
    cloudOperations.createApplication,
    (request) => createApplication(platform, callerOf(request), request),
    { fieldErrors: settingsErrors },
  );

  api.serve(
    cloudOperations.updateApplication,
    (request) => updateApplication(platform, callerOf(request), request),
    { fieldErrors: settingsErrors },
  );
}
