import type { ReactNode } from 'react';
import { DASH } from '../../format/amounts.ts';
import { type Tone, toneStyle } from '../../format/tone.ts';
import { useFormat } from '../../format/use-format.ts';
import classes from './flow-node.module.css';

interface FlowNodeProps {
  readonly side: 'top' | 'left' | 'right' | 'bottom';
  readonly tone: Tone;
  readonly name: string;
  /** Shown without its sign, for which there are directionLabel. */
  readonly powerW: number | null;
  /** The direction of the flow. */
  readonly directionLabel?: string | undefined;
  readonly icon: ReactNode;
  /** How full it is, for a battery; null is unknown. */
  readonly percent?: number | null | undefined;
}

/** One part of a site in the picture of its flows: what it is, and how much power it takes or gives. */
export function FlowNode({ side, tone, name, powerW, directionLabel, icon, percent }: FlowNodeProps) {
  const format = useFormat();
  const { number, unit } = powerW === null ? { number: DASH, unit: '' } : format.power(Math.abs(powerW));
  const ring = { ...toneStyle(tone), '--filled': `${percent ?? 0}%` };
  return (
    <div
      className={classes.node}
      style={ring}
      data-side={side}
      data-fills={percent !== undefined || undefined}
    >
      <div className={classes.circle} translate="no">
        <span className={classes.icon}>
          {icon}
          {percent !== undefined && (
            <span className={classes.percent}>
              {percent === null ? DASH : `${format.number(Math.round(percent))} %`}
            </span>
          )}
        </span>
        <span className={classes.power}>
          {number}
          {unit !== '' && <span className={classes.unit}> {unit}</span>}
        </span>
      </div>
      <div className={classes.label}>
        <span className={classes.name}>{name}</span>
        {directionLabel !== undefined && <span className={classes.direction}>{directionLabel}</span>}
      </div>
    </div>
  );
}
