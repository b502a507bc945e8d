import { type ActivationCode, MAX_ACTIVATION_USES } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { OPERATOR } from '../../../access/caller.ts';
import { allCodes, codesOf, createCode, revokeCode } from '../../../devices/activation/codes.ts';
import { endOf, idOf, optionalId, PAGE_HELP, PAGE_OPTIONS, pageOf, wholeNumber } from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import { requireOrganization } from './organizations.ts';

const ORGANIZATION = { organization: { type: 'string' } } as const;

const create: AdminCommand = {
  name: 'codes create',
  usage: '[--organization ID] [--uses N] [--expires DAYS]',
  summary: 'make an activation code, which is printed this once',
  help: `Anyone who has the code can activate devices with it.

  --organization ID  the organization that the devices are to belong to
  --uses N           how many devices it activates (default 1)
  --expires DAYS     how long it is good (default for ever)`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      ...ORGANIZATION,
      uses: { type: 'string', default: '1' },
      expires: { type: 'string' },
    });
    expectArguments(positionals, []);
    const organizationId = optionalId('--organization', values.organization);
    const uses = wholeNumber('--uses', values.uses, 1, MAX_ACTIVATION_USES);
    const expiresAt = endOf(values.expires, Date.now());
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    const code = await createCode(platform, OPERATOR, { organizationId, uses, expiresAt });
    return record(
      { ...code, organization_id: organizationId },
      {
        id: code.id,
        code: code.code,
        uses: code.uses_left,
        expires: minuteOf(code.expires_at),
        organization: organizationId,
      },
    );
  },
};

const list: AdminCommand = {
  name: 'codes list',
  usage: '[--organization ID]',
  summary: 'list activation codes, the newest first; the codes themselves are kept nowhere',
  help: `  --organization ID  only an organization's codes
${PAGE_HELP}`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { ...ORGANIZATION, ...PAGE_OPTIONS });
    expectArguments(positionals, []);
    const organizationId = optionalId('--organization', values.organization);
    const page = pageOf(values);
    const platform = await context.openPlatform();
    if (organizationId === null) return listing(await allCodes(platform.db, page), COLUMNS, 'codes');
    await requireOrganization(platform, organizationId);
    const own = await codesOf(platform.db, organizationId, page);
    return listing(
      own.map((code) => ({ ...code, organization_id: organizationId })),
      COLUMNS,
      'codes',
    );
  },
};

const revoke: AdminCommand = {
  name: 'codes revoke',
  usage: 'ID [--organization ID]',
  summary: 'withdraw an activation code of any organization; what it has activated stays so',
  help: `  --organization ID  only if it is this organization's`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, ORGANIZATION);
    const owner = optionalId('--organization', values.organization) ?? 'anyone';
    expectArguments(positionals, ['id']);
    const id = idOf('<id>', positionals[0] ?? '');
    const platform = await context.openPlatform();
    await revokeCode(platform, OPERATOR, owner, id).catch((error: unknown) => {
      throw error instanceof NotFound ? new CommandFailed(`There is no code ${id}`) : error;
    });
    return record({ id, revoked: true }, { id, revoked: true });
  },
};

const COLUMNS: Columns<ActivationCode & { readonly organization_id: number | null }> = [
  ['ID', ({ id }) => id, 'right'],
  ['ORGANIZATION', (code) => code.organization_id, 'right'],
  ['USES LEFT', (code) => code.uses_left, 'right'],
  ['EXPIRES', (code) => minuteOf(code.expires_at)],
  ['CREATED', (code) => minuteOf(code.created_at)],
  ['BY USER', (code) => code.created_by, 'right'],
];

export const codeCommands: readonly AdminCommand[] = [create, list, revoke];
