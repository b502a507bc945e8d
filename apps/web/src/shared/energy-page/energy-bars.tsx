import type { EnergyAnswer } from '@heliograph/client';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { indexAfterKey } from '../components/curve/keyboard-index.ts';
import { DASH, quantityText } from '../format/amounts.ts';
import { toneStyle } from '../format/tone.ts';
import { useFormat } from '../format/use-format.ts';
import classes from './energy-bars.module.css';
import { type EnergySelection, searchOf, within } from './energy-selection.ts';
import { extentOf, STACK_PARTS, type StackPart, scaleLines, stackOf, TONE_OF } from './energy-stack.ts';
import { useStepLabel } from './step-label.ts';

type Step = EnergyAnswer['steps'][number];

interface EnergyBarsProps {
  readonly steps: readonly Step[];
  readonly selection: EnergySelection;
  readonly label: string;
}

/** A bar for each step, read one by one with a pointer, a finger and the arrow keys. */
export function EnergyBars({ steps, selection, label }: EnergyBarsProps) {
  const { t } = useTranslation('energy');
  const format = useFormat();
  const labelOf = useStepLabel(selection.unit, steps);
  const partName = usePartNames();
  const help = useId();
  const [path] = useLocation();
  const [index, setIndex] = useState<number | null>(null);
  const stacks = steps.map(stackOf);
  const extents = stacks.map(extentOf);
  const lines = scaleLines(
    Math.max(0, ...extents.map(({ up }) => up)),
    Math.max(0, ...extents.map(({ down }) => down)),
  );
  const [low = 0, high = 0] = [lines[0], lines.at(-1)];
  const height = (kwh: number): string => `${(Math.abs(kwh) / (high - low || 1)) * 100}%`;
  const bottom = (kwh: number): string => `${((kwh - low) / (high - low || 1)) * 100}%`;
  const kwh = (value: number | null): string => (value === null ? DASH : quantityText(format.energy(value)));
  const at = index === null ? undefined : steps[index];
  const stack = index === null ? undefined : stacks[index];
  const finer = at === undefined ? undefined : within(selection, at.from);
  const shown = STACK_PARTS.filter((part) => stacks.some((each) => (each[part] ?? 0) > 0));
  const spoken = stack === undefined ? [] : shown.map((part) => `${partName(part)} ${kwh(stack[part])}`);

  const move = (event: KeyboardEvent): void => {
    const next = indexAfterKey(event.key, index, steps.length);
    if (next === undefined) return;
    event.preventDefault();
    setIndex(next);
  };

  return (
    <figure className={classes.figure}>
      <ul className={classes.legend} aria-label={t('parts')}>
        {shown.map((part) => (
          <li key={part} style={toneStyle(TONE_OF[part])} data-part={part}>
            <span className={classes.mark} />
            {partName(part)}
            {stack !== undefined && <strong>{kwh(stack[part])}</strong>}
          </li>
        ))}
      </ul>
      <div
        className={classes.reader}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, steps.length - 1)}
        aria-valuenow={index ?? Math.max(0, steps.length - 1)}
        aria-valuetext={[...(at === undefined ? [] : [labelOf(at.from)]), ...spoken].join(', ')}
        onKeyDown={move}
      >
        <div className={classes.plot} aria-hidden="true">
          {lines.map((line) => (
            <div key={line} className={classes.line} data-zero={line === 0} style={{ bottom: bottom(line) }}>
              <span>{`${format.number(Math.abs(line))}\u{A0}kWh`}</span>
            </div>
          ))}
          <div className={classes.bars}>
            {stacks.map((each, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the slider around has the keys
              <div
                key={steps[i]?.from}
                className={classes.bar}
                data-chosen={i === index}
                data-covered={(steps[i]?.coverage ?? 0) > 0}
                onClick={() => setIndex(i)}
                onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIndex(i)}
              >
                <div className={classes.up} style={{ bottom: bottom(0) }}>
                  {segments(each, ['fromSolar', 'fromBattery', 'fromGrid'], height, high)}
                </div>
                <div className={classes.down} style={{ top: `calc(100% - ${bottom(0)})` }}>
                  {segments(each, ['toBattery', 'toGrid'], height, -low)}
                </div>
              </div>
            ))}
          </div>
        </div>
        <div className={classes.labels} aria-hidden="true">
          {steps.map(({ from }, i) => (
            <span key={from} data-shown={i % every(steps.length) === 0}>
              {labelOf(from, true)}
            </span>
          ))}
        </div>
      </div>
      <p id={help} className={classes.readout}>
        {at === undefined ? (
          t('readWith')
        ) : (
          <>
            <strong>{labelOf(at.from)}</strong>
            {' · '}
            {t('solarOf', { energy: kwh(at.pv) })}
            {' · '}
            {t('loadOf', { energy: kwh(at.load) })}
            {finer !== undefined && at.coverage > 0 && (
              <>
                {' · '}
                <Link href={`${path}?${searchOf(finer)}`}>
                  {finer.unit === 'month' ? t('openMonth') : t('openDay')}
                </Link>
              </>
            )}
          </>
        )}
      </p>
    </figure>
  );
}

function segments(
  stack: Readonly<Record<StackPart, number | null>>,
  parts: readonly StackPart[],
  height: (kwh: number) => string,
  whole: number,
) {
  if (whole <= 0) return null;
  return parts.map((part) => (
    <div
      key={part}
      className={classes.part}
      data-part={part}
      style={{ ...toneStyle(TONE_OF[part]), height: height(stack[part] ?? 0) }}
    />
  ));
}

/** Labels below so many bars do not touch on a phone. */
const LABELS = 8;

function every(count: number): number {
  return Math.max(1, Math.ceil(count / LABELS));
}

function usePartNames(): (part: StackPart) => string {
  const { t } = useTranslation('energy');
  const names = {
    fromSolar: t('solarToHouse'),
    fromBattery: t('batteryToHouse'),
    fromGrid: t('gridToHouse'),
    toBattery: t('toBattery'),
    toGrid: t('toGrid'),
  };
  return (part) => names[part];
}
