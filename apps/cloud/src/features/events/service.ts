export { EventFeed, nextEvents } from './feed.ts';
export type { EventPosition, FeedEvent } from './position.ts';
