export { isGuessable } from './is-guessable.ts';
