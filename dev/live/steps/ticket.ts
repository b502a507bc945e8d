import { deepEqual, equal } from 'node:assert/strict';
import type { Step } from '../step.ts';
import { CUSTOMER_EMAIL, customer } from './customer.ts';

export const ticket: Step = {
  name: 'ticket',
  title: 'a question of a customer is mailed to support, its answer to the customer, who closes it',
  async run(live) {
    const asker = await customer(live);
    const support = live.owner();
    const opened = await asker.createTicket({
      subject: 'The battery stays empty',
      body: 'It has been at 20 % since Monday.',
      category: 'technical',
    });
    await live.mail(live.system.run.account.email, /^New request .*The battery stays empty$/, /since Monday/);
    await support.replyToTicket({ id: opened.id, body: 'Its reserve is 80 %: set it to 20 %.' });
    await live.mail(CUSTOMER_EMAIL, /^Reply to request /, /reserve is 80 %/);
    const { messages } = await asker.getOwnTicket({ id: opened.id });
    deepEqual(
      messages.map(({ author }) => author.side),
      ['customer', 'support'],
    );
    await asker.replyToOwnTicket({ id: opened.id, body: 'It charges again.' });
    equal((await asker.resolveOwnTicket({ id: opened.id })).state, 'resolved');
  },
};
