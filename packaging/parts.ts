import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';

export type PartName = 'device' | 'cloud' | 'proxy';

/** One part of the system, as it is installed. */
export interface Part {
  readonly name: PartName;
  /** One line for package managers. */
  readonly summary: string;
  /** Programs, by path within the checkout without their ending. */
  readonly programs: readonly string[];
  /** Folders of the checkout whose files other than code the programs read. */
  readonly resources: readonly string[];
  /** npm packages that are installed beside the bundle: they hold native code, or files that are served. */
  readonly besides: readonly string[];
}

/** Of the device and the cloud. */
const SHARED_RESOURCES = ['packages/kit/src/passwords', 'packages/locales/src', 'apps/web/dist'];

const COMMAND_LINE = 'apps/cli/src/main';

export const PARTS: Readonly<Record<PartName, Part>> = {
  device: {
    name: 'device',
    summary: 'reads and writes the solar inverters and batteries of a home',
    programs: [
      'apps/device/src/main',
      'apps/device/src/admin/cli/main',
      'apps/device/src/cli/main',
      COMMAND_LINE,
      ...driverFolders(),
    ],
    resources: ['apps/device/src', ...SHARED_RESOURCES],
    besides: ['@node-rs/argon2', '@serialport/bindings-cpp'],
  },
  cloud: {
    name: 'cloud',
    summary: 'accounts, sites, members and third-party access of a solar monitoring service',
    programs: [
      'apps/cloud/src/main',
      'apps/cloud/src/operator/admin/main',
      'apps/cloud/src/shop/products/catalogue-worker',
      COMMAND_LINE,
    ],
    resources: ['apps/cloud/src', ...SHARED_RESOURCES],
    besides: ['@node-rs/argon2', 'altcha'],
  },
  proxy: {
    name: 'proxy',
    summary: 'makes devices reachable through the tunnels that they open',
    programs: ['apps/proxy/src/main'],
    resources: ['apps/proxy/src'],
    besides: [],
  },
};

/** Drivers are programs of their own, because a device loads those alone that its configuration names. */
function driverFolders(): readonly string[] {
  const folder = 'apps/device/src/drivers';
  return readdirSync(join(CHECKOUT, folder))
    .filter((name) => existsSync(join(CHECKOUT, folder, name, 'index.ts')))
    .map((name) => `${folder}/${name}/index`);
}
