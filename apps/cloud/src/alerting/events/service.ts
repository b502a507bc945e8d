export { EventFeed, endOfFeed, positionBefore } from './feed.ts';
export { EventFollower } from './follower.ts';
export { type EventPosition, type FeedEvent, presentEvent } from './position.ts';
