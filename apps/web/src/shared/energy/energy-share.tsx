import { useFormat } from '../format/use-format.ts';
import classes from './energy-share.module.css';

interface EnergyShareProps {
  readonly label: string;
  /** From 0 to 1; null where it cannot be told. */
  readonly part: number | null;
  readonly hint: string;
}

/** A part of an energy as a ring and a percentage. One that cannot be told is left out: a dash would look like a fault. */
export function EnergyShare({ label, part, hint }: EnergyShareProps) {
  const format = useFormat();
  if (part === null) return null;
  const percent = Math.round(part * 100);
  return (
    <div className={classes.share}>
      <svg className={classes.ring} viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="16" pathLength="100" />
        <circle
          cx="20"
          cy="20"
          r="16"
          pathLength="100"
          className={classes.part}
          strokeDasharray={`${percent} 100`}
        />
      </svg>
      <dl className={classes.words}>
        <dt>{label}</dt>
        <dd className={classes.percent}>{format.number(percent)} %</dd>
        <dd className={classes.hint}>{hint}</dd>
      </dl>
    </div>
  );
}
