import { expect, it } from 'vitest';
import { messageTo, startPlainBroker, subscriptionAnswer } from './plain-broker.ts';
import { Watcher } from './watcher.ts';

it('a message that lay on a broker does not replace one that was published since', async () => {
  let isAnswered = false;
  const broker = await startPlainBroker((text, socket) => {
    const answer = subscriptionAnswer(text, '#');
    if (answer === undefined || isAnswered) return;
    isAnswered = true;
    socket.write(answer);
    socket.write(messageTo('power', 'new', { retain: false }));
    socket.write(messageTo('power', 'old', { retain: true }));
    socket.write(messageTo('voltage', 'old', { retain: true }));
  });
  const watcher = await Watcher.connect(broker.url);
  await watcher.until('voltage', 'old');
  expect(watcher.latest.get('power')).toBe('new');
  expect(watcher.textsOf('power')).toEqual(['new', 'old']);
  await watcher.close();
  await broker.stop();
});
