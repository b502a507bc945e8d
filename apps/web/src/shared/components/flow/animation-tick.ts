/** How often what flows moves on, in milliseconds. */
const EVERY_MS = 2_000;

/** For how long it then moves, in milliseconds. */
export const GLIDE_MS = 800;

const movers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Calls on every tick, at the same moment for everything that moves, and only while the page is visible. A browser
 * without a graphics processor works for every frame of a movement: with common pauses it pauses as well.
 *
 * @returns ends the subscription
 */
export function onAnimationTick(move: () => void): () => void {
  movers.add(move);
  timer ??= setInterval(tick, EVERY_MS);
  return () => {
    movers.delete(move);
    if (movers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  for (const move of movers) move();
}
