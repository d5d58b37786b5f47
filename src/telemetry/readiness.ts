// Whether calls would be served now, and if not, what is missing. Each part brings a check that says what is wrong in
// words for operators, without paths or names of callers.

export interface Readiness {
  /** `problem` gives null when all is well. */
  add(part: string, problem: () => string | null): void;
  report(): ReadinessReport;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly problems: Readonly<Record<string, string>>;
}

export function createReadiness(): Readiness {
  const checks = new Map<string, () => string | null>();
  return {
    add(part, problem) {
      checks.set(part, problem);
    },
    report() {
      const problems = [...checks].flatMap(([part, problem]) => {
        const found = ask(problem);
        return found === null ? [] : [[part, found] as const];
      });
      return { ready: problems.length === 0, problems: Object.fromEntries(problems) };
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
