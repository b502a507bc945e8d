import type { AlertFacts } from './alert-text.ts';

/**
 * A text of a device for messages: programs that show them make links of addresses, mentions of `@name` and commands of
 * `/name`, unless these are spaced. Numbers, times and units stay as they are.
 */
export function unlinked(text: string): string {
  return text.replace(
    /[@\\#](?=\S)|:(?![\s\d]|$)|\/(?=\/)|(?<![^\s(])\/(?=\p{L})|\.(?=\p{L})|(?<=\d\.\d+)\.(?=\d)/gu,
    '$& ',
  );
}

/** An alert for messages: hardware and devices chose its texts. */
export function withoutLinks<Facts extends AlertFacts & { readonly text: string }>(alert: Facts): Facts {
  const { topic, name, detail, value, unit, text } = alert;
  return {
    ...alert,
    topic: topic && unlinked(topic),
    name: name && unlinked(name),
    detail: detail && unlinked(detail),
    value: typeof value === 'string' ? unlinked(value) : value,
    unit: unlinked(unit),
    text: unlinked(text),
  };
}
