import { DEVICE_STATES, type DeviceSummary, uidOf } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { OPERATOR } from '../../access/caller.ts';
import { oneOf, optionalId, PAGE_HELP, PAGE_OPTIONS, pageOf } from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import type { AdminServices } from '../services.ts';
import { requireOrganization } from './organizations.ts';

/** Selects every field of every device. */
const EVERYTHING = {
  everything: true,
  seen: [],
  managed: [],
  sites: { userId: 0, organizationId: null, siteId: null },
} as const;

const ORGANIZATION = { organization: { type: 'string' } } as const;
const ORGANIZATION_HELP = '  --organization ID  the organization that the device is to belong to';

const provision: AdminCommand = {
  name: 'devices provision',
  usage: 'UID [--organization ID] [--no-activate]',
  summary: 'make a device known and activate it, before or after its first call',
  help: `The uid is printed on the device and shown on its page. Anyone with an account can register it then.

${ORGANIZATION_HELP}
  --no-activate      make it known only`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      ...ORGANIZATION,
      'no-activate': { type: 'boolean', default: false },
    });
    expectArguments(positionals, ['uid']);
    const uid = uidOf(positionals[0] ?? '');
    const organizationId = optionalId('--organization', values.organization);
    const services = await context.openServices();
    await requireOrganization(services, organizationId);
    const input = { uid, organizationId, activate: !values['no-activate'] };
    const { device, created } = await services.devices.provision(OPERATOR, input);
    return { ...deviceRecord(device), note: created ? undefined : 'It was known already' };
  },
};

const activate: AdminCommand = {
  name: 'devices activate',
  usage: 'UID [--organization ID]',
  summary: 'activate a device that is known: it can be registered from then on',
  help: ORGANIZATION_HELP,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, ORGANIZATION);
    expectArguments(positionals, ['uid']);
    const organizationId = optionalId('--organization', values.organization);
    const services = await context.openServices();
    await requireOrganization(services, organizationId);
    const uid = uidOf(positionals[0] ?? '');
    return deviceRecord(await orUnknownDevice(uid, services.devices.activate(OPERATOR, uid, organizationId)));
  },
};

const revoke = changing(
  'revoke',
  'trust a device no more: it is offline at once, and refused whatever it proves',
  ({ devices }, uid) => devices.revoke(OPERATOR, uid),
);

const restore = changing('restore', 'trust a device again', ({ devices }, uid) =>
  devices.restore(OPERATOR, uid),
);

const show = changing('show', 'show a device', ({ devices }, uid) => devices.show(uid));

function changing(
  verb: string,
  summary: string,
  change: (services: AdminServices, uid: string) => Promise<DeviceSummary>,
): AdminCommand {
  return {
    name: `devices ${verb}`,
    usage: 'UID',
    summary,
    async run(args, context) {
      const { positionals } = parseArguments(args, {});
      expectArguments(positionals, ['uid']);
      const uid = uidOf(positionals[0] ?? '');
      return deviceRecord(await orUnknownDevice(uid, change(await context.openServices(), uid)));
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
    const { devices } = await context.openServices();
    return listing(await devices.list(EVERYTHING, query), COLUMNS, 'devices');
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

export const deviceCommands: readonly AdminCommand[] = [provision, list, show, activate, revoke, restore];
