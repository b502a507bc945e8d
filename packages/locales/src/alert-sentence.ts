import { type Locale, tagOf } from '@heliograph/contracts';
import { type AlertFacts, alertPhrase } from '@heliograph/contracts/alert-text';
import { withoutLinks } from '@heliograph/contracts/unlinked';
import { fill, type Texts } from './read-texts.ts';

/** The sentence about an alert in one language, for messages and mails, without links; its own `text` for an unknown kind. */
export function alertSentence(
  given: AlertFacts & { readonly text: string },
  texts: Texts,
  language: Locale,
): string {
  const alert = withoutLinks(given);
  const numbers = new Intl.NumberFormat(tagOf(language), { maximumFractionDigits: 3 });
  const phrase = alertPhrase(alert, {
    unit: (prefix, title) => unitName(prefix, title, texts),
    value: (value, unit) => valueText(value, unit, numbers),
    name: (name) => name,
  });
  return phrase === undefined ? alert.text : fill(texts.alerts.texts[phrase.key], phrase.values);
}

function unitName(prefix: string, title: string, texts: Texts): string {
  const [, kind = '', number = ''] = /^([a-z]+)(?:_(\d+))?$/.exec(prefix) ?? [];
  const names: Readonly<Record<string, string>> = texts.site.metrics.device;
  const name = names[kind === 'total' ? 'totals' : kind];
  return name === undefined ? title : fill(name, { number });
}

function valueText(value: AlertFacts['value'], unit: string, numbers: Intl.NumberFormat): string {
  const text = typeof value === 'number' ? numbers.format(value) : String(value ?? '');
  return unit === '' || value === null ? text : `${text} ${unit}`;
}
