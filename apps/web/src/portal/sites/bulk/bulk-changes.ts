import { foldText } from '@heliograph/contracts/folded-text';
import { nameOrder } from '../../../shared/format/name-order.ts';
import { cloud } from '../../session/cloud.ts';

/** Adds a tag to a site, unless it has that in any letter case. */
export async function addTag(id: number, tag: string): Promise<void> {
  const { tags } = await cloud.getSite({ id });
  if (tags.some((present) => isSameTag(present, tag))) return;
  await cloud.setSiteTags({ id, tags: [...tags, tag] });
}

/** Removes a tag from a site that has it in any letter case. */
export async function removeTag(id: number, tag: string): Promise<void> {
  const { tags } = await cloud.getSite({ id });
  const kept = tags.filter((present) => !isSameTag(present, tag));
  if (kept.length < tags.length) await cloud.setSiteTags({ id, tags: kept });
}

/** Sites whose choices are looked up: those of one customer or one firm have the same ones. */
const QUERIED_SITES = 5;

/** Organizations that the reader may move some of the sites to, by name. @param locale of the reader */
export async function organizationChoices(ids: readonly number[], locale: string) {
  const answers = await Promise.allSettled(
    ids.slice(0, QUERIED_SITES).map((id) => cloud.getSiteOrganization({ id })),
  );
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.choices : []));
  const compare = nameOrder(locale);
  return [...new Map(found.map((choice) => [choice.id, choice])).values()].sort((one, other) =>
    compare(one.name, other.name),
  );
}

function isSameTag(one: string, other: string): boolean {
  return foldText(one) === foldText(other);
}
