"""The counterpart's client for Python, with nothing set but its base URL and its key: what its tests share."""

import os
import time

from portkey_ai import Portkey

URL = f"{os.environ['WEIR_URL']}/v1"
KEY = os.environ["WEIR_KEY"]
ADMIN_KEY = os.environ["WEIR_ADMIN_KEY"]
PROVIDER_URL = os.environ["PROVIDER_URL"]
PROVIDER_KEY = os.environ["PROVIDER_KEY"]
MESSAGES = [{"role": "user", "content": "Hello"}]
CHAT = {"model": "mock", "messages": MESSAGES}
SAID = "Mock answer to: Hello"


def client(**options):
    """Each its own: what a call says stays with the client."""
    return Portkey(**{"api_key": KEY, "base_url": URL, **options})


def admin(**options):
    return client(api_key=ADMIN_KEY, **options)


def chat(**options):
    return client(**options).chat.completions.create(**CHAT)


def soon(call, fits=lambda answer: True):
    """The answer that fits, once what was just stored has reached the calls, which takes up to a second."""
    last = time.monotonic() + 10
    while True:
        try:
            answer = call()
            if fits(answer):
                return answer
            failure = AssertionError(f"the last answer was {answer}")
        except Exception as thrown:
            failure = thrown
        if time.monotonic() > last:
            raise failure
        time.sleep(0.05)
