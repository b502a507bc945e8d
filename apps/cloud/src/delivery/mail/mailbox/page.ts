import { escapeHtml } from '../../../common/markup/escape-html.ts';
import type { MailboxMessage } from './repository.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:70rem;padding:1rem 1.5rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #8884}
time{white-space:nowrap}
td{overflow-wrap:anywhere}
.forms{display:flex;flex-wrap:wrap;gap:1rem}
iframe,pre{box-sizing:border-box;flex:1 1 24rem;min-width:0;min-height:36rem;margin:0;border:1px solid #8884;border-radius:6px}
pre{padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere}`;

/** Pages contain mails, which may be styled and show logos, and do nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; frame-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

export function listPage(messages: readonly MailboxMessage[]): string {
  const rows = messages.map(
    ({ id, recipient, subject, sentAt }) =>
      `<tr><td>${timeOf(sentAt)}</td><td>${escapeHtml(recipient)}</td><td><a href="/mailbox/${id}">${escapeHtml(subject)}</a></td></tr>`,
  );
  const table = `<table><thead><tr><th>Time</th><th>To</th><th>Subject</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
  const empty = '<p>No mail yet. Register, invite a person or ask for a new password.</p>';
  return page(
    'Mailbox',
    `<p>Mails of this development system. Nothing is sent. As JSON: <a href="/mailbox.json">/mailbox.json</a></p>
${rows.length === 0 ? empty : table}`,
  );
}

export function messagePage({ recipient, subject, sentAt, text, html }: MailboxMessage): string {
  // The frame may only open links, and those in a new page.
  const framed = escapeHtml(html.replace('<head>', '<head>\n<base target="_blank">'));
  return page(
    subject,
    `<p><a href="/mailbox">Mailbox</a></p>
<p>To ${escapeHtml(recipient)}, ${timeOf(sentAt)}</p>
<div class="forms">
<iframe title="HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${framed}"></iframe>
<pre>${withLinks(text)}</pre>
</div>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`;
}

function timeOf(at: Date): string {
  const iso = at.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : linkTo(part)))
    .join('');
}

function linkTo(url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
}
