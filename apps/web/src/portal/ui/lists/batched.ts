interface Batch<Value> {
  readonly ids: Set<number>;
  readonly values: Promise<ReadonlyMap<number, Value>>;
}

/**
 * Merges the loads of the same moment: the rows of a list that appear together cost one request.
 *
 * @param batchSize largest number of ids of a request
 * @returns a function that loads one value; undefined where there is none of that id
 */
export function batched<Value extends { readonly id: number }>(
  load: (ids: readonly number[]) => Promise<readonly Value[]>,
  batchSize: number,
): (id: number) => Promise<Value | undefined> {
  let open: Batch<Value> | undefined;

  const openBatch = (): Batch<Value> => {
    const ids = new Set<number>();
    const loadAll = async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (open?.ids === ids) open = undefined;
      return new Map((await load([...ids])).map((value) => [value.id, value]));
    };
    return { ids, values: loadAll() };
  };
  return async (id) => {
    if (open === undefined || (open.ids.size >= batchSize && !open.ids.has(id))) open = openBatch();
    open.ids.add(id);
    return (await open.values).get(id);
  };
}
