import { openHistoryDatabase } from '../../src/history/files/history-database.ts';
import { inTransaction } from '../../src/storage/database.ts';

/** Puts so many states of each topic into a folder's history, a second apart from `startMs` on. */
export function fillStates(
  folder: string,
  topics: readonly string[],
  startMs: number,
  changes: number,
): void {
  const db = openHistoryDatabase(folder);
  const addSeries = db.prepare("INSERT INTO series (topic, name, unit) VALUES (?, ?, '')");
  const addState = db.prepare('INSERT INTO states (series, at, value) VALUES (?, ?, ?)');
  inTransaction(db, () => {
    for (const topic of topics) {
      const series = addSeries.run(topic, topic).lastInsertRowid;
      for (let i = 0; i < changes; i++) addState.run(series, startMs + i * 1000, `State ${i % 2}`);
    }
  });
  db.close();
}
