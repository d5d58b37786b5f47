// Prompts of the studio: how to get from a wish to a design with its tools.

const PLATFORMS = {
  instagram: [1080, 1080],
  facebook: [1200, 630],
  linkedin: [1200, 627],
  x: [1600, 900],
  youtube: [1280, 720],
};

export const platforms = Object.keys(PLATFORMS);

const PROMPTS = {
  create_social_post: {
    title: 'Create a social media post',
    description: 'Plans and draws a post in the size that the platform wants',
    arguments: [
      { name: 'platform', description: `Where it will be shown: ${platforms.join(', ')}`, required: true },
      { name: 'message', description: 'What it says above all', required: false },
    ],
    words({ platform, message }) {
      const [width, height] = PLATFORMS[platform.toLowerCase()] ?? [1200, 1200];
      return [
        `Make a social media post for ${platform}.`,
        `Call create_design with width ${width} and height ${height}, then add_element for the background, one accent shape and the text.`,
        message === undefined ? 'Ask me what it shall say.' : `It says above all: ${JSON.stringify(message)}`,
        'Show it to me with export_design at the end.',
      ].join('\n');
    },
  },
  review_design: {
    title: 'Review a design',
    description: 'Looks at a design and says what to improve',
    arguments: [{ name: 'design_id', description: 'Which design', required: true }],
    words: ({ design_id }) =>
      `Look at the design ${JSON.stringify(design_id)} with export_design. Judge contrast, alignment and hierarchy, and propose at most three changes as calls of update_element.`,
  },
};

export const prompts = {
  listPrompts: () =>
    Object.entries(PROMPTS).map(([name, { words: _, ...prompt }]) => ({ name, ...prompt, icons: [] })),
  getPrompt(name, given) {
    if (!Object.hasOwn(PROMPTS, name)) throw { tag: 'unknown' };
    const prompt = PROMPTS[name];
    const values = Object.fromEntries(given);
    for (const argument of prompt.arguments) {
      if (argument.required && !Object.hasOwn(values, argument.name)) {
        throw { tag: 'invalid', val: `the argument "${argument.name}" is missing` };
      }
    }
    const content = { tag: 'text', val: { text: prompt.words(values) } };
    return {
      tag: 'complete',
      val: { description: prompt.description, messages: [{ role: 'user', content }] },
    };
  },
};
