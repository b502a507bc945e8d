import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** Questions that are answered on standard input, in a line each; without a terminal only the answers are read. */
export class Questions implements Disposable {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  readonly #isSecret: boolean;

  /** @param isSecret whether a terminal shows nothing of the answers */
  constructor({ isSecret }: { readonly isSecret: boolean }) {
    const { stdin, stderr } = process;
    const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
    // Turns off the echo before the first question, so that the first characters are not shown.
    this.#lines = createInterface({
      input: stdin,
      output: isSecret || !stdin.isTTY ? silence : stderr,
      terminal: stdin.isTTY,
    });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#isSecret = isSecret;
  }

  /** @returns undefined when the input has ended */
  async answerTo(question: string): Promise<string | undefined> {
    const { stdin, stderr } = process;
    if (stdin.isTTY && this.#isSecret) stderr.write(question);
    // Corrections of an answer that is shown leave the question in place.
    else if (stdin.isTTY) {
      this.#lines.setPrompt(question);
      this.#lines.prompt();
    }
    const { value, done } = await this.#answers.next();
    if (stdin.isTTY && this.#isSecret) stderr.write('\n');
    return done === true ? undefined : value;
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}
