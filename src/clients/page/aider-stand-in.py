"""Sends requests as aider does: through LiteLLM, with the model of its command line and the settings that LiteLLM reads from the environment."""

import argparse

import litellm

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--message", required=True)
asked = parser.parse_args()
answer = litellm.completion(model=asked.model, messages=[{"role": "user", "content": asked.message}])
print(answer.choices[0].message.content)
