import {
  ApiError,
  type CloudClient,
  createCloudClient,
  DeviceClient,
  type SiteSummary,
} from '@heliograph/client';
import { expectArguments } from '@heliograph/kit/terminal';
import { CommandFailed } from '../terminal/failures.ts';
import { type RunFile, readRunFile } from './run-file.ts';
import { cloudSettings, lanSettings, proxySchemeOf } from './settings.ts';

export function openCloud(run: RunFile | null = readRunFile(process.env)): CloudClient {
  return createCloudClient(cloudSettings(process.env, run));
}

export interface TargetOptions {
  readonly device?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * The device that a command is about, and the arguments left for the command. Without `--device` the first
 * argument names the site.
 *
 * @param names the command's own arguments
 * @param openCloudOf opens the cloud; with the API token when left out
 */
export async function openTarget(
  options: TargetOptions,
  given: readonly string[],
  names: readonly string[],
  openCloudOf = openCloud,
): Promise<{ device: DeviceClient; rest: readonly string[] }> {
  const run = readRunFile(process.env);
  if (options.device !== undefined) {
    expectArguments(given, names);
    const access = lanSettings(options.device, options.password, process.env, run);
    return { device: new DeviceClient(access), rest: given };
  }
  expectArguments(given, ['site', ...names]);
  const [site = '', ...rest] = given;
  const cloud = openCloudOf(run);
  const { id } = await findSite(cloud, site);
  const device = await cloud.device(id, { schemeOf: proxySchemeOf(run) }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 404 ? noSite(`with the id ${id}`) : error;
  });
  return { device, rest };
}

/** A site by its id, or by its exact name. @throws CommandFailed when there is none of that name */
export async function findSite(cloud: CloudClient, site: string): Promise<Pick<SiteSummary, 'id'>> {
  if (/^\d+$/.test(site)) return { id: Number(site) };
  const wanted = site.toLowerCase();
  const rows = await cloud.listSites({ q: `name:${site}`, limit: 1 });
  const found = rows.find(({ name }) => name?.toLowerCase() === wanted);
  if (found === undefined) throw noSite(`named "${site}"`);
  return found;
}

function noSite(which: string): CommandFailed {
  return new CommandFailed(`There is no site ${which}; "heliograph sites" lists them`);
}
