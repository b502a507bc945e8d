import { readFile } from 'node:fs/promises';
import { moneyText, type Product } from '@heliograph/contracts';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { consoleCaller, OPERATOR } from '../../../access/caller.ts';
import { exportCatalogue, importCatalogueFile } from '../../../shop/products/catalogues.ts';
import { listProducts } from '../../../shop/products/products.ts';
import { optionalId, PAGE_HELP, searchOf } from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, record } from '../layout.ts';
import { requireOrganization } from './organizations.ts';

const ORGANIZATION = { organization: { type: 'string' } } as const;
const ORGANIZATION_HELP =
  "  --organization ID  an organization's catalogue; without it the operator's own shop";

const importProducts: AdminCommand = {
  name: 'products import',
  usage: 'FILE [--organization ID]',
  summary: 'make a catalogue that of a YAML file',
  help: `Products are known by their SKU; those that the file lacks are archived. "products export" writes such a file.

${ORGANIZATION_HELP}`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, ORGANIZATION);
    expectArguments(positionals, ['file']);
    const organizationId = optionalId('--organization', values.organization);
    const text = await readFile(positionals[0] ?? '', 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new CommandFailed(`${positionals[0]} cannot be read: ${error.code}`);
    });
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    const changes = await importCatalogueFile(platform, OPERATOR, organizationId, text);
    const { created, changed, archived, unchanged } = changes;
    return record(changes, {
      created: created.length,
      changed: changed.length,
      archived: archived.length,
      unchanged: unchanged.length,
    });
  },
};

const exportProducts: AdminCommand = {
  name: 'products export',
  usage: '[--organization ID]',
  summary: 'print a catalogue as a YAML file',
  help: ORGANIZATION_HELP,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, ORGANIZATION);
    expectArguments(positionals, []);
    const organizationId = optionalId('--organization', values.organization);
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    const text = await exportCatalogue(platform, organizationId);
    return { value: { catalogue: text }, lines: text.trimEnd().split('\n') };
  },
};

const list: AdminCommand = {
  name: 'products list',
  usage: '[QUERY...] [--organization ID]',
  summary: 'list products, by name',
  help: `QUERY is words, and filters such as kind:licence, state:archived or currency:USD.

  --organization ID  only an organization's
${PAGE_HELP}`,
  async run(args, context) {
    const { query } = searchOf(args);
    const platform = await context.openPlatform();
    return listing(await listProducts(platform, consoleCaller(), { query }), COLUMNS, 'products');
  },
};

const COLUMNS: Columns<Product> = [
  ['ID', ({ id }) => id, 'right'],
  ['SKU', ({ sku }) => sku],
  ['NAME', ({ name }) => name],
  ['KIND', ({ kind }) => kind],
  ['STATE', ({ state }) => state],
  ['PRICES', ({ prices }) => prices.map(moneyText).join(', ')],
  ['SELLER', ({ organization }) => organization?.name ?? null],
];

export const productCommands: readonly AdminCommand[] = [importProducts, exportProducts, list];
