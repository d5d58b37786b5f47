// Whether calls would be served now, and if not, what is missing. Each part brings a check that says what is wrong in
// words for operators, without paths or names of callers.

export interface Readiness {
  /** `problem` gives null when all is well; if it does not block, calls are served all the same. */
  add(part: string, problem: () => string | null, blocks?: () => boolean): void;
  report(): ReadinessReport;
}

export interface ReadinessReport {
  readonly ready: boolean;
  /** What keeps calls from being served, by part. */
  readonly problems: Readonly<Record<string, string>>;
  /** What an operator has to look at although they are. */
  readonly warnings: Readonly<Record<string, string>>;
}

interface Check {
  readonly problem: () => string | null;
  readonly blocks: () => boolean;
}

export function createReadiness(): Readiness {
  const checks = new Map<string, Check>();
  return {
    add(part, problem, blocks = () => true) {
      checks.set(part, { problem, blocks });
    },
    report() {
      const found = [...checks].map(([part, { problem, blocks }]) => ({ part, text: ask(problem), blocks }));
      const told = (blocking: boolean): Record<string, string> =>
        Object.fromEntries(
          found.flatMap(({ part, text, blocks }) =>
            text !== null && blocks() === blocking ? [[part, text]] : [],
          ),
        );
      const problems = told(true);
      return { ready: Object.keys(problems).length === 0, problems, warnings: told(false) };
    },
  };
}

/** A check that cannot be made is a problem too. */
function ask(problem: () => string | null): string | null {
  try {
    return problem();
  } catch {
    return 'cannot be checked';
  }
}
