import { type Tone, toneStyle } from '../components/tile/tone.ts';
import { DASH, quantityText } from '../format/amounts.ts';
import { useFormat } from '../format/use-format.ts';
import classes from './energy-bar.module.css';

interface EnergyPart {
  readonly name: string;
  readonly tone: Tone;
  /** Null is unknown, undefined what the site does not have. */
  readonly kwh: number | null | undefined;
}

interface EnergyBarProps {
  readonly title: string;
  readonly parts: readonly EnergyPart[];
  /** What the full width stands for. */
  readonly wholeKwh: number;
}

/** Parts of an energy beside each other in one bar, and in figures below it. */
export function EnergyBar({ title, parts, wholeKwh }: EnergyBarProps) {
  const format = useFormat();
  const there = parts.filter(({ kwh }) => kwh !== undefined);
  return (
    <div className={classes.block}>
      <h3 className={classes.title}>{title}</h3>
      <div className={classes.bar} aria-hidden="true">
        {wholeKwh > 0 &&
          there.map(({ name, tone, kwh }) => (
            <div
              key={name}
              className={classes.part}
              style={{ ...toneStyle(tone), width: `${((kwh ?? 0) / wholeKwh) * 100}%` }}
            />
          ))}
      </div>
      <dl className={classes.figures}>
        {there.map(({ name, tone, kwh }) => (
          <div key={name} className={classes.figure} style={toneStyle(tone)}>
            <dt>{name}</dt>
            <dd>{typeof kwh === 'number' ? quantityText(format.energy(kwh)) : DASH}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
