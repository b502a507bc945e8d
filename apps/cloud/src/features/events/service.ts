export { EventFeed, endOfFeed, nextEvents, positionBefore } from './feed.ts';
export { type EventPosition, type FeedEvent, presentEvent } from './position.ts';
