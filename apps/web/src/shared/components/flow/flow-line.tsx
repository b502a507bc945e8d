import type { CSSProperties } from 'react';
import { type Tone, toneStyle } from '../tile/tone.ts';
import { directionOf, placesPerTick, thicknessOf } from './direction.ts';
import { FlowDots } from './flow-dots.tsx';
import classes from './flow-line.module.css';

interface FlowLineProps {
  /** Where it leads from the middle. */
  readonly side: 'top' | 'left' | 'right' | 'bottom';
  readonly tone: Tone;
  /** Watts; positive is towards the middle when `isTowardsMiddle`, away from it otherwise. */
  readonly powerW: number | null;
  readonly isTowardsMiddle: boolean;
  /** Old values do not move. */
  readonly isStill: boolean;
}

/** The way between the middle of the picture and one of its parts; what flows there moves along it. */
export function FlowLine({ side, tone, powerW, isTowardsMiddle, isStill }: FlowLineProps) {
  const direction = directionOf(powerW);
  const power = powerW ?? 0;
  const style: CSSProperties & Record<`--${string}`, string> = {
    ...toneStyle(tone),
    '--thickness': `${direction === 0 ? 2 : thicknessOf(power)}px`,
  };
  const isInward = direction === (isTowardsMiddle ? 1 : -1);
  return (
    <div className={classes.line} style={style} data-side={side} data-resting={direction === 0 || undefined}>
      {direction !== 0 && !isStill && <FlowDots isInward={isInward} places={placesPerTick(power)} />}
      {direction !== 0 && (
        <div
          className={classes.arrow}
          data-inward={isInward || undefined}
          data-still={isStill || undefined}
        />
      )}
    </div>
  );
}
