# What the clients of the field make of a server of the past. Arguments: its address, a URL it holds. Prints one JSON object.
import json, sys
from datetime import datetime

base, url = sys.argv[1].rstrip("/"), sys.argv[2]
said = {}

from memento_client import MementoClient
client = MementoClient(timegate_uri=base + "/web/", check_native_timegate=False)
found = client.get_memento_info(url, datetime(2027, 1, 1))
said["memento_client"] = found["mementos"]["closest"]["uri"][0]

import wayback._client
wayback._client.CDX_SEARCH_URL = base + "/cdx/search/cdx"
# It takes an address in numbers for a typing error.
rows = wayback.WaybackClient().search(url, skip_malformed_results=False)
said["wayback"] = [row.timestamp.strftime("%Y%m%d%H%M%S") for row in rows]

from waybackpy import WaybackMachineCDXServerAPI
api = WaybackMachineCDXServerAPI(url, "tests")
api.endpoint = base + "/cdx/search/cdx"
said["waybackpy"] = [snapshot.timestamp for snapshot in api.snapshots()]

import cdx_toolkit
fetcher = cdx_toolkit.CDXFetcher(source=base + "/cdx")
said["cdx_toolkit"] = [line["timestamp"] for line in fetcher.iter(url, limit=100)]
print(json.dumps(said))
