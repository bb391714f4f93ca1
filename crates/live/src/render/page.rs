//! One page in a browser: opened, answered, drawn, closed.

use super::{RenderAnswers, RenderError, RenderResponse, RenderSettings, Rendered, snapshot, wire::Dialogue};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::time::Instant;

/// Pictures of longer pages are cut.
const PICTURE_HEIGHT_MAX: f32 = 8_192.0;

/// A page that is being drawn.
pub(super) struct Page<'p, 'a> {
    wire: &'p mut Dialogue,
    settings: &'p RenderSettings,
    answers: &'p mut RenderAnswers<'a>,
    /// Commands and events of this page carry it.
    session: String,
    target: String,
    url: String,
    deadline: Instant,
    loaded: bool,
    /// Whether the page itself was there.
    found: bool,
    bytes_left: usize,
}

impl<'p, 'a> Page<'p, 'a> {
    pub(super) fn open(
        wire: &'p mut Dialogue,
        settings: &'p RenderSettings,
        answers: &'p mut RenderAnswers<'a>,
    ) -> Result<Page<'p, 'a>, RenderError> {
        let mut page = Page {
            wire,
            settings,
            answers,
            session: String::new(),
            target: String::new(),
            url: String::new(),
            deadline: Instant::now() + settings.time_max,
            loaded: false,
            found: false,
            bytes_left: settings.page_bytes_max,
        };
        let made = page.call("Target.createTarget", &json!({ "url": "about:blank" }))?;
        page.target = text(&made["targetId"]);
        let attached = page.call("Target.attachToTarget", &json!({ "targetId": page.target, "flatten": true }))?;
        page.session = text(&attached["sessionId"]);
        page.call("Fetch.enable", &json!({ "patterns": [{ "urlPattern": "*" }] }))?;
        page.call("Page.enable", &json!({}))?;
        page.call("Browser.setDownloadBehavior", &json!({ "behavior": "deny" }))?;
        let window =
            json!({ "width": settings.width, "height": settings.height, "deviceScaleFactor": 1, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", &window)?;
        Ok(page)
    }

    /// Draws the page at `url`, and closes it.
    pub(super) fn render(mut self, url: &str, picture: bool) -> Result<Rendered, RenderError> {
        self.load(url)?;
        if !self.found {
            self.close()?;
            return Err(RenderError::NoPage(url.to_owned()));
        }
        let snapshot = self.call("DOMSnapshot.captureSnapshot", &snapshot::wish())?;
        let boxes = snapshot::boxes(&snapshot);
        let picture = if picture { Some(self.picture(boxes.width, boxes.height)?) } else { None };
        self.close()?;
        Ok(Rendered { boxes, picture })
    }

    /// Opens a URL and waits for all that belongs to it: half of the time at most, the rest is for looking at it.
    fn load(&mut self, url: &str) -> Result<(), RenderError> {
        self.url = without_fragment(url).to_owned();
        let patience = Instant::now() + self.settings.time_max / 2;
        // Answered when the page begins to arrive, or failed to.
        self.call("Page.navigate", &json!({ "url": url }))?;
        while !self.loaded && self.found {
            match self.wire.receive(patience.min(self.deadline)) {
                Ok(message) => self.event(&message)?,
                Err(RenderError::TooSlow) => break,
                Err(trouble) => return Err(trouble),
            }
        }
        if !self.loaded && self.found {
            self.call("Page.stopLoading", &json!({}))?;
        }
        Ok(())
    }

    fn picture(&mut self, width: f32, height: f32) -> Result<Vec<u8>, RenderError> {
        let height = height.clamp(1.0, PICTURE_HEIGHT_MAX);
        let clip = json!({ "x": 0, "y": 0, "width": width.max(1.0), "height": height, "scale": 1 });
        let wish = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let taken = self.call("Page.captureScreenshot", &wish)?;
        Ok(BASE64.decode(text(&taken["data"]).as_bytes()).unwrap_or_default())
    }

    fn close(&mut self) -> Result<(), RenderError> {
        let target = json!({ "targetId": self.target });
        // Asked of the browser: the session ends with the page.
        self.session.clear();
        self.call("Target.closeTarget", &target).map(drop)
    }

    /// Gives a command and waits for its answer; what happens meanwhile is seen to.
    fn call(&mut self, method: &str, parameters: &Value) -> Result<Value, RenderError> {
        let id = self.send(method, parameters)?;
        loop {
            let mut message = self.wire.receive(self.deadline)?;
            if message["id"].as_u64() != Some(id) {
                self.event(&message)?;
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(RenderError::Refused { method: method.to_owned(), answer: error.to_string() }),
                None => Ok(message["result"].take()),
            };
        }
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Result<u64, RenderError> {
        let session = Some(self.session.as_str()).filter(|session| !session.is_empty());
        self.wire.send(session, method, parameters)
    }

    /// Sees to what the page does. RenderAnswers to commands nobody waits for are no events.
    fn event(&mut self, message: &Value) -> Result<(), RenderError> {
        if message["sessionId"].as_str() != Some(self.session.as_str()) {
            return Ok(());
        }
        match message["method"].as_str() {
            Some("Fetch.requestPaused") => self.answer(&message["params"]),
            Some("Page.javascriptDialogOpening") => {
                self.send("Page.handleJavaScriptDialog", &json!({ "accept": false })).map(drop)
            }
            Some("Page.loadEventFired") => {
                self.loaded = true;
                Ok(())
            }
            Some("Inspector.targetCrashed" | "Inspector.detached") => Err(RenderError::Crashed),
            _ => Ok(()),
        }
    }

    fn answer(&mut self, paused: &Value) -> Result<(), RenderError> {
        let url = text(&paused["request"]["url"]);
        let is_page = without_fragment(&url) == self.url && paused["resourceType"].as_str() == Some("Document");
        let room = self.bytes_left.min(self.settings.answer_bytes_max);
        let response = (self.answers)(&url).filter(|response| response.body.len() <= room);
        let request = &paused["requestId"];
        let Some(response) = response else {
            let failed = json!({ "requestId": request, "errorReason": "InternetDisconnected" });
            return self.send("Fetch.failRequest", &failed).map(drop);
        };
        self.bytes_left -= response.body.len();
        self.found |= is_page;
        self.send("Fetch.fulfillRequest", &fulfilled(request, &response)).map(drop)
    }
}

fn fulfilled(request: &Value, response: &RenderResponse) -> Value {
    let header = |(name, value): &(String, String)| json!({ "name": name, "value": value });
    json!({
        "requestId": request,
        "responseCode": response.status,
        "responseHeaders": response.headers.iter().map(header).collect::<Vec<_>>(),
        "body": BASE64.encode(&response.body),
    })
}

pub(super) fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
