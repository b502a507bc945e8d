import { useEffect, useRef } from 'react';
import { GLIDE_MS, onAnimationTick } from './animation-tick.ts';
import classes from './flow-dots.module.css';

/** How far apart dots are, in pixels; the strip that they are drawn on is as much longer as they move at most. */
const APART_PX = 20;

interface FlowDotsProps {
  readonly isInward: boolean;
  /** By how many places a dot moves on at once: a whole number, so that nobody sees the strip begin again. */
  readonly places: number;
}

/** Dots that glide along a line, rest, and glide again. */
export function FlowDots({ isInward, places }: FlowDotsProps) {
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
