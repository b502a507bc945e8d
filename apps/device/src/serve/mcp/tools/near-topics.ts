/** How many topics a refusal suggests. */
const MAX_SUGGESTIONS = 5;

/** How many devices a refusal names; a home has fewer. */
const MAX_DEVICES = 12;

/**
 * Suggestions in place of a topic or glob that matches nothing: the topics that are most like it, and which globs
 * there are.
 *
 * @param topics all that there are
 */
export function nearTopics(requested: string, topics: readonly string[]): string {
  if (topics.length === 0) return 'This site has no values yet.';
  const terms = termsOf(requested);
  const near = topics
    .map((topic) => ({ topic, likeness: likeness(terms, topic) }))
    .filter((candidate) => candidate.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || a.topic.length - b.topic.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ topic }) => topic);
  const suggestions = near.length === 0 ? '' : `Near: ${near.join(', ')}. `;
  return `${suggestions}There are ${globsOf(topics)}.`;
}

/** How many of the words the topic has, the device's counting half. */
function likeness(terms: readonly string[], topic: string): number {
  const [device = '', name = ''] = topic.split(/\/(.*)/s);
  const deviceTerms = termsOf(device);
  const nameTerms = termsOf(name);
  const initials = nameTerms.map((word) => word.charAt(0)).join('');
  const scores = terms.map((word): number => {
    if (nameTerms.includes(word)) return 2;
    if (word.length > 1 && (initials.includes(word) || nameTerms.some((other) => other.startsWith(word))))
      return 1.5;
    return deviceTerms.includes(word) ? 1 : 0;
  });
  const found = scores.some((score) => score > 1);
  return found ? scores.reduce((sum, score) => sum + score, 0) : 0;
}

function termsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function globsOf(topics: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const topic of topics) {
    const glob = `${topic.slice(0, topic.indexOf('/'))}/*`;
    counts.set(glob, (counts.get(glob) ?? 0) + 1);
  }
  const named = [...counts].slice(0, MAX_DEVICES).map(([glob, count]) => `${glob} (${count})`);
  return counts.size > MAX_DEVICES ? `${named.join(', ')}, …` : named.join(', ');
}
