import { tagOf } from '@heliograph/contracts';
import { escapeHtml } from '../../common/markup/escape-html.ts';
import { buttonColors } from './colors.ts';
import type { Brand, Letter } from './letter.ts';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BODY_TEXT = `${FONT};font-size:16px;line-height:1.5;color:#1f2937`;
const QUIET_TEXT = `${FONT};font-size:13px;line-height:1.5;color:#6b7280`;

/** Dark colours, for mail programs that support the media query. */
const DARK = `@media (prefers-color-scheme:dark){
.page{background-color:#111418!important}
.card{background-color:#1c2127!important;border-color:#303740!important}
.text{color:#e5e7eb!important}
.quiet{color:#9ca3af!important}
}`;

/**
 * The HTML form: tables and inline styles, the common ground of mail programs, and nothing to load but the logo.
 */
export function htmlOf(letter: Letter): string {
  const { brand, subject, greeting, paragraphs, link, linkHint, remarks, footer } = letter;
  const language = tagOf(letter.locale);
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f4f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f4f6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background-color:#ffffff;border:1px solid #e5e7eb;border-radius:8px">
<tr><td class="text" style="padding:28px 32px 0;${BODY_TEXT};font-size:20px;font-weight:600">${headOf(brand)}</td></tr>
<tr><td style="padding:12px 32px 0">
${[greeting, ...paragraphs].map((text) => paragraph('text', BODY_TEXT, escapeHtml(text))).join('\n')}
</td></tr>
<tr><td style="padding:12px 32px">${buttonOf(letter)}</td></tr>
<tr><td style="padding:4px 32px 24px">
${remarks.map((text) => paragraph('quiet', QUIET_TEXT, escapeHtml(text))).join('\n')}
${paragraph('quiet', QUIET_TEXT, `${escapeHtml(linkHint)}<br><a class="quiet" href="${escapeHtml(link)}" style="color:#6b7280;word-break:break-all">${escapeHtml(link)}</a>`)}
</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td align="center" class="quiet" style="padding:16px 32px;${QUIET_TEXT}">${escapeHtml(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function headOf({ name, logoUrl }: Brand): string {
  if (logoUrl === null) return escapeHtml(name);
  return `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="40" style="display:block;height:40px;max-width:100%;border:0">`;
}

function buttonOf({ brand, button, link }: Letter): string {
  const { background, text } = buttonColors(brand.color);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${background}" style="border-radius:6px;background-color:${background}"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 24px;${FONT};font-size:16px;font-weight:600;color:${text};text-decoration:none">${escapeHtml(button)}</a></td></tr></table>`;
}

function paragraph(name: string, style: string, content: string): string {
  return `<p class="${name}" style="margin:0 0 12px;${style}">${content}</p>`;
}
