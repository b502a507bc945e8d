import { type CSSProperties, useEffect, useRef } from 'react';
import { type Tone, toneStyle } from '../../format/tone.ts';
import { GLIDE_MS, onAnimationTick } from './animation-tick.ts';
import { directionOf, placesPerTick, thicknessOf } from './direction.ts';
import classes from './flow-line.module.css';

interface FlowLineProps {
  /** The side of the picture that the line leads to from the middle. */
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

/** How far apart dots are, in pixels; the strip that they are drawn on is as much longer as they move at most. */
const APART_PX = 20;

interface FlowDotsProps {
  readonly isInward: boolean;
  /** By how many places a dot moves on at once: a whole number, so that the strip repeats seamlessly. */
  readonly places: number;
}

/** Dots that glide along a line, rest, and glide again. */
function FlowDots({ isInward, places }: FlowDotsProps) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const way = ['translateX(0)', `translateX(${places * APART_PX}px)`];
    return onAnimationTick(() => {
      strip.current?.animate(
        { transform: isInward ? way.toReversed() : way },
        { duration: GLIDE_MS, easing: 'ease-in-out' },
      );
    });
  }, [isInward, places]);
  return <div ref={strip} className={classes.dots} />;
}
