import type { CSSProperties } from 'react';

/** The kind of a figure, which gives it its colour everywhere. */
export type Tone = 'solar' | 'load' | 'grid' | 'battery' | 'neutral';

const TOPIC_TONES: readonly (readonly [part: string, tone: Tone])[] = [
  ['pv_', 'solar'],
  ['load_', 'load'],
  ['grid_', 'grid'],
  ['battery_', 'battery'],
];

/** The tone of one of the totals of a site; other topics have none. */
export function toneOf(topic: string): Tone {
  const [device, name = ''] = topic.split('/');
  if (device !== 'total') return 'neutral';
  return TOPIC_TONES.find(([part]) => name.startsWith(part))?.[1] ?? 'neutral';
}

/** The colour of a tone as text and lines have it. */
export function toneColor(tone: Tone): string {
  return tone === 'neutral' ? 'var(--hg-muted)' : `var(--hg-${tone})`;
}

/** Hands `--tone` (text, lines) and `--tone-fill` (areas) to the styles of a component. */
export function toneStyle(tone: Tone): CSSProperties & Record<`--${string}`, string> {
  const fill = tone === 'neutral' ? 'var(--hg-muted)' : `var(--hg-${tone}-fill)`;
  return { '--tone': toneColor(tone), '--tone-fill': fill };
}
