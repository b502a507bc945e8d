import { cleanLines } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { FastifyRequest } from 'fastify';
import { escapeHtml } from '../../common/markup/escape-html.ts';
import { slicePage } from '../../db/page.ts';
import { callerOf } from '../../http/guards.ts';
import type { Documents, LegalText } from './documents.ts';
import type { Employees } from './employees.ts';
import { readHost } from './host.ts';
import type { Logos } from './logos.ts';
import type { OrganizationService } from './service.ts';
import type { TeamInvitations } from './team-invitations.ts';

/** For answers that are the same for every caller. */
const CACHE_ONE_MINUTE = { 'cache-control': 'public, max-age=60' } as const;

/** For content that never changes at its address. */
const CACHE_IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/**
 * Plain text as HTML. An empty line ends a paragraph; lines that begin with `# `, `## ` and `- ` are headings,
 * smaller headings and items of a list. Everything else is text, whatever it looks like.
 */
function fragmentOf(text: string): string {
  return blocksOf(text).map(blockHtml).join('\n');
}

/** A whole page around the text. */
function pageOf({ title, issuer, text }: LegalText): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(`${title} - ${issuer}`)}</title>
<style>
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${fragmentOf(text)}
</body>
</html>
`;
}

const TAGS = { '#': 'h2', '##': 'h3', '-': 'li', '': 'p' } as const;

interface Block {
  readonly tag: (typeof TAGS)[keyof typeof TAGS];
  readonly lines: string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split(/\r\n|\r|\n/).map((each) => each.trim())) {
    const { tag, content } = lineOf(line);
    if (line === '') open = undefined;
    else if (tag === 'p' && open !== undefined) open.lines.push(content);
    else {
      const block = { tag, lines: [content] };
      blocks.push(block);
      // A heading is one line; a paragraph and an item can continue.
      open = tag === 'p' || tag === 'li' ? block : undefined;
    }
  }
  return blocks;
}

function lineOf(line: string): { tag: Block['tag']; content: string } {
  const [, mark = '', content = line] = /^(##?|-)\s+(.*)$/.exec(line) ?? [];
  return { tag: isMark(mark) ? TAGS[mark] : 'p', content };
}

function isMark(mark: string): mark is keyof typeof TAGS {
  return mark in TAGS;
}

/** Items stand in a list: the first of a run opens it, the last closes it. */
function blockHtml({ tag, lines }: Block, index: number, blocks: readonly Block[]): string {
  const html = `<${tag}>${lines.map(escapeHtml).join('<br>\n')}</${tag}>`;
  if (tag !== 'li') return html;
  const opening = blocks[index - 1]?.tag === 'li' ? '' : '<ul>\n';
  const closing = blocks[index + 1]?.tag === 'li' ? '' : '\n</ul>';
  return opening + html + closing;
}

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const;

function documentRoutes(api: Api, documents: Documents): void {
  api.serve(cloudOperations.getLegalText, async (request, reply) => {
    const { organization_id: id = '', fragment = '0' } = request.query;
    const { name } = request.params;
    const text =
      id === ''
        ? await documents.atHost(name, hostOf(request))
        : await documents.ofOrganization(name, id === 'none' ? null : Number(id));
    return reply
      .headers({ ...CACHE_ONE_MINUTE, ...HTML_HEADERS, vary: 'Origin' })
      .send(fragment === '0' ? pageOf(text) : fragmentOf(text.text));
  });

  api.serve(cloudOperations.getOrganizationDocument, (request) =>
    documents.show(callerOf(request), request.params.id, request.params.name),
  );

  api.serve(cloudOperations.setOrganizationDocument, async (request) => {
    const { id, name } = request.params;
    // Cleaned and not refused: texts are pasted from programs that add invisible characters.
    const text = cleanLines(request.body.text);
    await documents.change(callerOf(request), id, name, text);
    return { name, text, custom: true };
  });

  api.serve(cloudOperations.removeOrganizationDocument, async (request) => {
    await documents.remove(callerOf(request), request.params.id, request.params.name);
  });
}

/** The host of the calling page. A page that the cloud itself serves sends no origin: its host is that of the request. */
function hostOf({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string {
  const [, pageHost = host] = /^https?:\/\/([^/]+)$/.exec(headers.origin ?? '') ?? [];
  return readHost(pageHost) ?? '';
}

/** An SVG may hold scripts and links: opened as a page it runs and loads nothing. */
const IMAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'x-content-type-options': 'nosniff',
} as const;

function logoRoutes(api: Api, logos: Logos): void {
  api.serve(cloudOperations.getOrganizationLogo, async (request, reply) => {
    const path = await logos.pathOf(request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).redirect(path, 302);
  });

  api.serve(cloudOperations.getOrganizationLogoVersion, async (request, reply) => {
    const { id, digest } = request.params;
    const logo = await logos.find(id, digest);
    if (logo === undefined) return reply.headers(CACHE_ONE_MINUTE).redirect(await logos.pathOf(id), 302);
    return reply
      .headers({ ...CACHE_IMMUTABLE, ...IMAGE_HEADERS, 'content-type': logo.mediaType })
      .send(logo.bytes);
  });

  api.serve(cloudOperations.removeOrganizationLogo, async (request) => {
    await logos.remove(callerOf(request), request.params.id);
  });

  api.serveBytes(cloudOperations.setOrganizationLogo, async (request) => {
    const { headers, body, params } = request;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    await logos.set(callerOf(request), params.id, headers['content-type'] ?? '', bytes);
  });
}

export function organizationRoutes(api: Api, organizations: OrganizationService): void {
  // No token: pages show the organization before the sign-in.
  api.serve(cloudOperations.getOrganization, async (request, reply) => {
    const organization = await organizations.show(request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).send(organization);
  });

  api.serve(cloudOperations.listOrganizations, (request) =>
    organizations.list(callerOf(request), request.query),
  );

  api.serve(
    cloudOperations.createOrganization,
    (request) => organizations.create(callerOf(request), request.body),
    { fieldErrors: (fields) => organizations.fieldErrors(fields) },
  );

  api.serve(
    cloudOperations.updateOrganization,
    (request) => organizations.change(callerOf(request), request.params.id, request.body),
    { fieldErrors: (fields) => organizations.fieldErrors(fields) },
  );

  logoRoutes(api, organizations.logos);
  employeeRoutes(api, organizations.employees);
  teamInvitationRoutes(api, organizations.teamInvitations);
  documentRoutes(api, organizations.documents);
}

function teamInvitationRoutes(api: Api, invitations: TeamInvitations): void {
  api.serve(cloudOperations.listTeamInvitations, (request) => invitations.received(callerOf(request)));

  api.serve(cloudOperations.acceptTeamInvitation, async (request) => {
    await invitations.accept(callerOf(request), request.params.organization_id);
  });

  api.serve(cloudOperations.declineTeamInvitation, async (request) => {
    await invitations.decline(callerOf(request), request.params.organization_id);
  });
}

function employeeRoutes(api: Api, employees: Employees): void {
  api.serve(cloudOperations.listOrganizationMembers, async (request) =>
    slicePage(await employees.list(callerOf(request), request.params.id), request.query),
  );

  api.serve(cloudOperations.addOrganizationMember, (request) =>
    employees.add(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.updateOrganizationMember, (request) =>
    employees.changeRole(callerOf(request), employmentOf(request.params), request.body),
  );

  api.serve(cloudOperations.removeOrganizationMember, async (request) => {
    await employees.remove(callerOf(request), employmentOf(request.params));
  });
}

function employmentOf({ id, user_id: userId }: { readonly id: number; readonly user_id: number }) {
  return { organizationId: id, userId };
}
