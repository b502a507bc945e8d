import { DEVICE_STATES, type DeviceSummary, uidOf } from '@heliograph/contracts';
import { messageOf, NotFound, ValidationError } from '@heliograph/kit';
import { expectArguments, parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller, OPERATOR } from '../../../access/caller.ts';
import { listDevices } from '../../../devices/devices/devices.ts';
import {
  activate as activateDevice,
  createRegistrationCode,
  provision as provisionDevice,
  restore as restoreDevice,
  revoke as revokeDevice,
  showDevice,
} from '../../../devices/devices/lifecycle.ts';
import type { DevicePlatform } from '../../../devices/platform.ts';
import { oneOf, optionalId, PAGE_HELP, PAGE_OPTIONS, pageOf } from '../arguments.ts';
import { type AdminCommand, CommandFailed, complaintsOf } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import { requireOrganization } from './organizations.ts';

const STANDARD_INPUT = '-';

const ORGANIZATION = { organization: { type: 'string' } } as const;
const ORGANIZATION_HELP = '  --organization ID  the organization that the device is to belong to';

const provision: AdminCommand = {
  name: 'devices provision',
  usage: 'UID... [--organization ID] [--no-activate]',
  summary: 'make devices known and activate them, before or after their first call',
  help: `The uid is printed on the device and shown on its page. Anyone with an account can register it then. With - in place of
UID they are read from standard input, with spaces or line ends between them. It stops at the first one that is refused.

${ORGANIZATION_HELP}
  --no-activate      make it known only`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      ...ORGANIZATION,
      'no-activate': { type: 'boolean', default: false },
    });
    const isFromInput = positionals.length === 1 && positionals[0] === STANDARD_INPUT;
    const typed = isFromInput ? (await context.readInput()).split(/\s+/).filter(Boolean) : positionals;
    if (typed.length === 0) throw new UsageError('<uid> is missing');
    const uids = [...new Set(typed.map(uidOf))];
    const organizationId = optionalId('--organization', values.organization);
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    const provisioned: { readonly device: DeviceSummary; readonly created: boolean }[] = [];
    for (const uid of uids) {
      const input = { uid, organizationId, activate: !values['no-activate'] };
      const result = await provisionDevice(platform, OPERATOR, input).catch((error: unknown) => {
        throw uids.length === 1 ? error : refusalOf(uid, error, provisioned.length);
      });
      provisioned.push(result);
    }
    const known = provisioned.filter(({ created }) => !created).length;
    const [only] = provisioned;
    if (only !== undefined && !isFromInput && typed.length === 1)
      return { ...deviceRecord(only.device), note: only.created ? undefined : 'It was known already' };
    const devices = provisioned.map(({ device }) => device);
    const note = known === 0 ? undefined : `${known} of ${devices.length} were known already`;
    return { ...listing(devices, COLUMNS, 'devices'), note };
  },
};

/** One of many that is refused: those before it stay provisioned. */
function refusalOf(uid: string, error: unknown, before: number): Error {
  const reason = error instanceof ValidationError ? complaintsOf(error) : messageOf(error);
  return new CommandFailed(`${printable(uid)}: ${reason} (${before} before it were provisioned)`);
}

const activate: AdminCommand = {
  name: 'devices activate',
  usage: 'UID [--organization ID]',
  summary: 'activate a device that is known: it can be registered from then on',
  help: ORGANIZATION_HELP,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, ORGANIZATION);
    expectArguments(positionals, ['uid']);
    const organizationId = optionalId('--organization', values.organization);
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    const uid = uidOf(positionals[0] ?? '');
    return deviceRecord(await orUnknownDevice(uid, activateDevice(platform, OPERATOR, uid, organizationId)));
  },
};

const revoke = changing(
  'revoke',
  'trust a device no more: it is offline at once, and refused whatever it proves',
  (platform, uid) => revokeDevice(platform, OPERATOR, uid),
);

const restore = changing('restore', 'trust a device again', (platform, uid) =>
  restoreDevice(platform, OPERATOR, uid),
);

const code: AdminCommand = {
  name: 'devices code',
  usage: 'UID',
  summary: 'make a registration code for a device that was released, which is printed this once',
  help: `Give it to someone only after they have proved that they have the device: it makes the device theirs, once, within a day.
Its own page shows one too, on the network of the home; devices of older releases have no such page.`,
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, ['uid']);
    const uid = uidOf(positionals[0] ?? '');
    const platform = await context.openPlatform();
    const issued = await createRegistrationCode(platform, OPERATOR, uid);
    if (issued === undefined) throw new CommandFailed(`No device ${printable(uid)} is released`);
    const { code, expiresAt } = issued;
    return record(
      { uid, code, expires_at: expiresAt.toISOString() },
      { uid, code, expires: minuteOf(expiresAt.toISOString()) },
    );
  },
};

const show = changing('show', 'show a device', showDevice);

function changing(
  verb: string,
  summary: string,
  change: (platform: DevicePlatform, uid: string) => Promise<DeviceSummary>,
): AdminCommand {
  return {
    name: `devices ${verb}`,
    usage: 'UID',
    summary,
    async run(args, context) {
      const { positionals } = parseArguments(args, {});
      expectArguments(positionals, ['uid']);
      const uid = uidOf(positionals[0] ?? '');
      return deviceRecord(await orUnknownDevice(uid, change(await context.openPlatform(), uid)));
    },
  };
}

const list: AdminCommand = {
  name: 'devices list',
  usage: '[UID] [--state STATE]',
  summary: 'list devices, by uid; with UID those whose uid begins so',
  help: `  --state STATE  ${DEVICE_STATES.join(', ')}; inactive ones wait to be activated
${PAGE_HELP}`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { ...PAGE_OPTIONS, state: { type: 'string' } });
    expectArguments(positionals, positionals.length === 0 ? [] : ['uid']);
    const state = values.state === undefined ? {} : { state: oneOf('--state', values.state, DEVICE_STATES) };
    const query = { ...pageOf(values), ...state, q: uidOf(positionals[0] ?? '') };
    const platform = await context.openPlatform();
    return listing(await listDevices(platform, consoleCaller(), { query }), COLUMNS, 'devices');
  },
};

const COLUMNS: Columns<DeviceSummary> = [
  ['UID', ({ uid }) => uid],
  ['STATE', ({ state }) => state],
  ['ACTIVATED', (device) => device.activated_at !== null],
  ['ONLINE', ({ online }) => online],
  ['SEEN', (device) => minuteOf(device.last_seen_at)],
  ['SITE', (device) => device.site_id, 'right'],
  ['ORGANIZATION', (device) => device.organization_id, 'right'],
];

function deviceRecord(device: DeviceSummary) {
  return record(device, {
    uid: device.uid,
    state: device.state,
    activated: minuteOf(device.activated_at),
    enrolled: minuteOf(device.enrolled_at),
    ...(device.revoked_at !== null && { revoked: minuteOf(device.revoked_at) }),
    online: device.online,
    seen: minuteOf(device.last_seen_at),
    site: device.site_id,
    organization: device.organization_id,
    version: device.version,
  });
}

/** @throws CommandFailed when the device is unknown */
async function orUnknownDevice(uid: string, device: Promise<DeviceSummary>): Promise<DeviceSummary> {
  return device.catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
    throw new CommandFailed(`There is no device ${printable(uid)}: "devices provision" makes one known`);
  });
}

export const deviceCommands: readonly AdminCommand[] = [
  provision,
  list,
  show,
  activate,
  code,
  revoke,
  restore,
];
